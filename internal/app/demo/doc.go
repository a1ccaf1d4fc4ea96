// Package demo is the command demo: a small training with synthetic faces.
package demo

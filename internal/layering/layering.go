// Package layering holds a test, and nothing that a program could use: that
// the packages of this module import each other in one direction only, as
// ARCHITECTURE.md draws it.
package layering

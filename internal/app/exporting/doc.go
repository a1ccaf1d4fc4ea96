// Package exporting is the command export, which writes a cascade as source code.
package exporting

// Package layering holds only a test: that the packages of this module import
// each other in one direction, as ARCHITECTURE.md draws it.
package layering

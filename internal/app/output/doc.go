// Package output writes what the commands of train-cascade share: progress, contact
// sheets, new folders, and command lines that can be repeated.
package output

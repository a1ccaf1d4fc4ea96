// Package landmarking is the commands landmarks, which trains a landmark model, and
// eval-landmarks, which measures one.
package landmarking

// Package augment makes training windows of labelled photographs, and degrades
// images as light, film, print and files do.
//
// [Make] cuts windows out of photographs, aligned by landmarks or by boxes,
// mirrored, and augmented by [Effects]. [MakeFromOne] makes many windows of one
// image. A [Degrader] applies the effects that suit whole images.
//
// There are two simulations of old prints. [OldPrint] are effects for windows,
// with a print whose screen, contrast and damage are sized by the window.
// [PrintAndScan] is an older simulation of whole images. They share no code:
// they use different random sources and round different integers, and built-in
// models were trained with the bytes of both.
//
// The same seed gives the same bytes on every machine.
package augment

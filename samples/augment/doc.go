// Package augment makes training windows of labelled photographs, and degrades
// pictures as light, film, print and files do.
//
// [Make] cuts windows out of photographs, aligned by landmarks or by boxes,
// mirrored, and augmented as [Effects] say. [MakeFromOne] makes many windows of one
// picture. A [Degrader] applies the effects that fit whole pictures.
//
// Two things simulate old prints. [OldPrint] are effects for windows, with a print
// whose screen, contrast and damage are sized by the window. [PrintAndScan] is an
// older simulation of whole pictures. They share no code: they draw from different
// random sources and round different integers, and models that ship were trained
// with the bytes of both.
//
// The same seed gives the same bytes on every machine.
package augment

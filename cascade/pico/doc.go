// Package pico reads and runs cascades of pico and pigo, such as facefinder: trees
// whose nodes compare two pixels (Markus, Frljak, Pandzic, Ahlberg, Forchheimer:
// "Object Detection with Pixel Intensity Comparisons Organized in Decision Trees",
// 2014).
//
// On the same grey pixels [Model.Search] and [Cluster] give what RunCascade and
// ClusterDetections of github.com/esimov/pigo give, to the last bit of the scores
// and in the same order. There is one exception: in rotated searches pigo limits
// columns by the number of rows, so that its results there are the same only for
// square pictures. Here columns are limited by their own number, as in pico.
//
// These cascades have neither integral images nor a contrast normalisation, and
// pico scales positions instead of the picture. So they are not a
// [haarlem/cascade.Cascade], and none of ours can be written as one.
package pico

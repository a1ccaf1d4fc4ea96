// Package sampling is the commands that make pictures: samples, mosaic and facemodel.
package sampling

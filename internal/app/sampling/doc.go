// Package sampling is the commands that make pictures: samples and mosaic.
package sampling

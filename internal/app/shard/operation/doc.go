// Package operation is what can be done with the names of a job of package shard:
// detect, blur or pixelate pictures, and find what an evaluation needs. Whoever
// runs shards, on this machine or through another's engine, does it through these,
// so that the bytes are the same everywhere.
package operation

// Package mining searches backgrounds for hard negatives on many machines, under
// the contract of package shard.
//
// A training puts waves of pictures into a folder that machines share ([Trainer]),
// and workers do their shards ([Work]):
//
//	backgrounds.jsonl   the pictures of the training
//	wave-ID-00001/      one wave: spec.json, model.cascade, names.txt, and a job
//	done                written when the training ends: workers end too
//
// The training takes part, so that it comes to its end without any worker. A worker
// claims a shard before it does it, which only saves work: two that do the same
// shard write the same bytes.
package mining

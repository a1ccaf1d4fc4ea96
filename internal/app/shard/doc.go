// Package shard is the contract by which a job over many names is done on many
// machines, by any scheduler that starts processes and starts them again.
//
// A [Job] is an operation with settings, cut into shards. A name belongs to the
// shard that [Of] says, and nothing but the name decides. [Run] does one shard: it
// reads the list of names, does those of its shard, and writes
//
//	part-00003-of-00064.jsonl           results, in the order of the list
//	part-00003-of-00064.failures.jsonl  names that cannot be done, and why
//	part-00003-of-00064.json            the manifest, written last
//
// Each file gets its name when it is complete. None of them says where, when or
// how often it was made, so that a shard that is run twice, in two places at one
// time, or again after a kill has the same bytes. A shard with a manifest is
// finished, and skipped. [Check] demands that all shards are there, made with the
// same settings from the same list.
//
// What may go better another time, such as a network that does not answer, ends
// Run with an error and without a manifest: whoever started it tries again. What
// never will, such as a file that is no picture, is a failure, and the shard goes
// on. That is the operation's to tell.
package shard

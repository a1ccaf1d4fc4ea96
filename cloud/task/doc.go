// Package task makes the operations of a job from a few flags, for the programs that
// run shards elsewhere than detect does. The same flags give the same job, and so the
// same bytes, as detect's.
package task

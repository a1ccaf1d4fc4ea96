// Package track follows detections from frame to frame.
//
// A detector sees each frame for itself: its boxes tremble, it misses a face
// now and then, and it does not know that a face is the one it saw before. A
// [Tracker] takes the detections of one frame after another and makes short
// tracks of them: boxes that are steady, have a number, move on for a while
// when the detector misses them, and can be asked for at any time, also
// between two frames that were searched.
//
// A [Planner] says where to search. While nothing happens it is enough to look
// near the faces that are known, and at the rest of the picture part by part;
// at least every so many frames the whole picture is searched.
//
// A [Follower] answers a frame late, and so knows the number of a face in the
// first frame that shows it.
//
// A [Filler] is for work that may wait some frames: it knows what comes, and
// says for each frame where faces are that the detector missed in it.
//
// Everything is plain arithmetic in a fixed order: the same detections at the
// same times give the same tracks on every machine.
package track

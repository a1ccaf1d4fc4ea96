// Package track tracks detections from frame to frame.
//
// A detector searches each frame independently: boxes jitter, a face is missed now
// and then, and nothing says that it is the face of the frame before. A [Tracker]
// takes the detections of successive frames and makes tracks of them: smoothed
// boxes with a number, which are predicted for a while when the detector misses the
// face, and can be asked for at any time, also between two searched frames. A track
// that is lost is resumed when its face appears again within two seconds, by motion
// and by a [Descriptor] of its appearance.
//
// A [Planner] says where to search. While nothing changes it is enough to search
// near the known faces, and the rest of the frame part by part; at least every so
// many frames the whole frame is searched.
//
// A [Follower] answers some frames late, and so knows the number of a face in the
// first frame that shows it.
//
// A [Guard] is for hiding faces: it says for each frame where faces may be, found or
// not.
//
// All arithmetic is in a fixed order: the same detections at the same times give the
// same tracks on every machine.
package track

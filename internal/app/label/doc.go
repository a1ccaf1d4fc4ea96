// Package label serves a page on which people label photographs: they draw boxes and
// points, and judge what a model proposes.
//
// Labels are in one CSV, the working file, which is what train-cascade auto -truth
// takes. Every change is saved at once, completely or not at all. Columns, lines and
// pictures that the page does not know stay as they are. If the file changed on the
// disk meanwhile, the change is read first; only if it is about the same picture the
// user has to choose.
//
// The handler serves the pictures of one folder and writes three things: the working
// file, NAME.review.csv beside it with what was decided about detections, and the
// folder NAME.export.
package label

// Package samples reads training data: images, and truth files with the
// positions of objects. It knows nothing of features or models.
//
// [ReadTruth] reads photographs with boxes or landmarks in the usual formats
// (OpenCV's info.dat, CSV, Pascal VOC, COCO, YOLO, dlib's imglab, LabelMe, Label
// Studio, landmarks in a CSV),
// [ReadVec] OpenCV's files of finished windows, [Crops] folders of crops of
// single objects, and [Backgrounds] negative images, or photographs used
// outside known boxes. [WriteVOC], [WriteCOCO] and [WriteYOLO] write labels, and a
// [Table] is a CSV that a program edits. README.md in this folder describes the formats.
//
// [CheckPositives] and [CheckBackgrounds] check every file before a training,
// drop unusable ones, and list them in a [Report]. [Copies] finds pictures that show
// the same, moved or changed. [Split] holds out photographs, and [Sheet] makes a
// contact sheet of windows. Package augment makes windows.
//
// Boxes and landmarks are in pixels of the upright image, as a viewer shows it:
// orientation by EXIF is applied first. Pixel (0, 0) is the top left one; a box
// includes its left and top edge and excludes its right and bottom edge, as
// everywhere in Go.
//
// Files are not trusted. Readers have limits ([ErrLimit]), and errors name the
// file, the line and the field ([LineError]).
package samples

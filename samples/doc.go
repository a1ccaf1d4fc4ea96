// Package samples reads training data: pictures, and truth files that say where the
// objects are. It knows nothing of features or models.
//
// [ReadTruth] reads photographs with boxes or landmarks in the usual formats
// (OpenCV's info.dat, CSV, Pascal VOC, COCO, YOLO, landmarks in a CSV),
// [ReadVec] OpenCV's files of finished windows, [Crops] folders of pictures
// that each are one object, and [Backgrounds] negative images, or photographs used
// outside known boxes. README.md in this folder describes the formats.
//
// [CheckPositives] and [CheckBackgrounds] check every file before a training, drop
// what would harm it, and list that in a [Report]. [Split] holds photographs out,
// and [Sheet] is a contact sheet of windows. Package augment makes windows.
//
// Boxes and landmarks are in pixels of the upright picture, as a viewer shows
// it: if a camera noted in the file that it was held on its side (EXIF), the
// picture is turned first. Pixel (0, 0) is the top left one; a box holds its
// left and top edge and not its right and bottom edge, as everywhere in Go.
//
// Files are not trusted. Readers have limits ([ErrLimit]), and an error says
// the file, the line and the field ([LineError]).
package samples

// Package video reads and writes uncompressed and frame-by-frame compressed
// video without a library of codecs: Y4M, raw frames, Motion JPEG (JPEG files one
// after another, and in AVI) and series of PNG or JPEG files.
//
//	r, err := video.NewReader(os.Stdin, nil)
//	for {
//		f, err := r.Next()
//		if err == io.EOF { break }
//		img, err := f.Decode()
//	}
//
// [Reader.Next] reads the bytes of a frame, which is cheap, and is called by one
// goroutine. [Frame.Decode] makes an image of them, which is not; frames may be
// decoded by several goroutines at once.
//
// Streams are not trusted: sizes are held against [Options] before memory is taken.
// A reader holds one frame at a time, so memory does not grow with a stream's length.
package video

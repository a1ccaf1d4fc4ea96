package samples

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
)

// OpenCV's .vec file: the number of windows and of the pixels of each as 32-bit
// numbers, two 16-bit zeros, and for each window an unused byte and its pixels
// as 16-bit numbers, all little-endian. Neither width nor height is stored.
const vecHeader = 12

// ReadVec reads the windows in one of OpenCV's .vec files. The file has the
// number of pixels of a window, but not its shape: w and h give it, or 0 and 0
// for a square.
func ReadVec(path string, w, h int) ([]*image.Gray, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer f.Close()
	length := int64(-1)
	if info, err := f.Stat(); err != nil {
		return nil, named(path, err)
	} else if info.IsDir() {
		return nil, at(path, 0, "a folder, want a .vec file")
	} else if info.Mode().IsRegular() {
		length = info.Size()
	}
	crops, err := decodeVec(f, length, w, h)
	if err != nil {
		return nil, named(path, err)
	}
	return crops, nil
}

// decodeVec reads the windows of a stream; length is the file's, or -1.
func decodeVec(r io.Reader, length int64, w, h int) ([]*image.Gray, error) {
	if w < 0 || h < 0 || (w == 0) != (h == 0) {
		return nil, fmt.Errorf("window of %dx%d, want a width and a height, or 0 and 0 for the file's square", w, h)
	}
	in := bufio.NewReaderSize(r, 1<<16)
	var head [vecHeader]byte
	if n, err := io.ReadFull(in, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("cut off: %d bytes, but the header alone has %d", n, vecHeader)
	} else if err != nil {
		return nil, err
	}
	count := int64(int32(binary.LittleEndian.Uint32(head[:])))
	pixels := int64(int32(binary.LittleEndian.Uint32(head[4:])))
	switch {
	case count < 0:
		return nil, fmt.Errorf("the header says %d windows: this is not a .vec file", count)
	case pixels < 1 || pixels > maxVecPixels:
		return nil, fmt.Errorf("the header says windows of %d pixels, want 1 to %d: this is not a .vec file", pixels, maxVecPixels)
	}
	if w == 0 {
		w = int(math.Sqrt(float64(pixels)))
		h = w
		if int64(w)*int64(h) != pixels {
			return nil, fmt.Errorf("windows of %d pixels, which is no square: give width and height", pixels)
		}
	}
	if int64(w) > pixels || int64(h) > pixels || int64(w)*int64(h) != pixels {
		hint := ""
		if s := int64(math.Sqrt(float64(pixels))); s*s == pixels {
			hint = fmt.Sprintf(" (perhaps %dx%[1]d)", s)
		}
		return nil, fmt.Errorf("windows of %d pixels%s, want %dx%d, which are %d", pixels, hint, w, h, int64(w)*int64(h))
	}
	each := 1 + 2*pixels
	cut := func(whole int64) error {
		return fmt.Errorf("cut off: the header says %d windows of %dx%d, the file has %d", count, w, h, whole)
	}
	if length >= 0 {
		switch want := vecHeader + count*each; {
		case length < want:
			return nil, cut((length - vecHeader) / each)
		case length > want:
			return nil, fmt.Errorf("%d bytes follow the last of %d windows of %dx%d", length-want, count, w, h)
		}
	}
	if count > maxObjects {
		return nil, fmt.Errorf("%d windows, want at most %d: %w", count, maxObjects, ErrLimit)
	}

	var crops []*image.Gray // grows with the data, not with the header's count
	buf := make([]byte, each)
	for i := range count {
		if _, err := io.ReadFull(in, buf); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, cut(i)
		} else if err != nil {
			return nil, err
		}
		m := image.NewGray(image.Rect(0, 0, w, h))
		for k := range m.Pix {
			v := int16(binary.LittleEndian.Uint16(buf[1+2*k:]))
			if v < 0 || v > 255 {
				return nil, fmt.Errorf("window %d, pixel %d,%d: %d, want 0 to 255", i, k%w, k/w, v)
			}
			m.Pix[k] = uint8(v)
		}
		crops = append(crops, m)
	}
	if n, _ := in.Read(make([]byte, 1)); n > 0 {
		return nil, fmt.Errorf("something follows the last of %d windows of %dx%d", count, w, h)
	}
	return crops, nil
}

// WriteVec writes windows of one size as one of OpenCV's .vec files,
// atomically: an older file is replaced only when the new one is complete.
func WriteVec(path string, crops []*image.Gray) error {
	return WriteAtomically(path, func(w io.Writer) error { return EncodeVec(w, crops) })
}

// EncodeVec is [WriteVec] for a stream.
func EncodeVec(w io.Writer, crops []*image.Gray) error {
	if len(crops) == 0 {
		return errors.New("no windows to write")
	}
	if len(crops) > maxObjects {
		return fmt.Errorf("%d windows, want at most %d: %w", len(crops), maxObjects, ErrLimit)
	}
	size := crops[0].Rect.Size()
	if n := int64(size.X) * int64(size.Y); n < 1 || n > maxVecPixels {
		return fmt.Errorf("windows of %dx%d, want 1 to %d pixels", size.X, size.Y, maxVecPixels)
	}
	for i, m := range crops {
		if got := m.Rect.Size(); got != size {
			return fmt.Errorf("window %d is %dx%d, those before it %dx%d: a .vec file has one size", i, got.X, got.Y, size.X, size.Y)
		}
	}
	head := make([]byte, vecHeader)
	binary.LittleEndian.PutUint32(head, uint32(len(crops)))
	binary.LittleEndian.PutUint32(head[4:], uint32(size.X*size.Y))
	if _, err := w.Write(head); err != nil {
		return err
	}
	buf := make([]byte, 1+2*size.X*size.Y)
	for _, m := range crops {
		for y := range size.Y {
			row := m.Pix[m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y):]
			for x := range size.X {
				buf[1+2*(y*size.X+x)] = row[x]
			}
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

//go:build gocv

package gocvmat

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"haarlem/opencv"
)

// A CascadeClassifier is an [opencv.CascadeClassifier] for gocv.Mat.
type CascadeClassifier struct{ c opencv.CascadeClassifier }

// NewCascadeClassifier returns a classifier without a cascade.
func NewCascadeClassifier() CascadeClassifier {
	return CascadeClassifier{opencv.NewCascadeClassifier()}
}

// Close forgets the cascade.
func (c *CascadeClassifier) Close() error { return c.c.Close() }

// Load reads a cascade; see [opencv.CascadeClassifier.Load].
func (c *CascadeClassifier) Load(name string) bool { return c.c.Load(name) }

// DetectMultiScale searches with OpenCV's defaults.
func (c *CascadeClassifier) DetectMultiScale(img gocv.Mat) []image.Rectangle {
	return c.c.DetectMultiScale(grey(img))
}

// DetectMultiScaleWithParams returns the objects in img, which has 1, 3 or 4 channels of
// 8 bits; see [opencv.CascadeClassifier.DetectMultiScaleWithParams].
func (c *CascadeClassifier) DetectMultiScaleWithParams(img gocv.Mat, scale float64, minNeighbors, flags int, minSize, maxSize image.Point) []image.Rectangle {
	return c.c.DetectMultiScaleWithParams(grey(img), scale, minNeighbors, flags, minSize, maxSize)
}

// GroupRectangles is [opencv.GroupRectangles].
func GroupRectangles(rects []image.Rectangle, groupThreshold int, eps float64) []image.Rectangle {
	return opencv.GroupRectangles(rects, groupThreshold, eps)
}

// grey returns a copy of the grey levels of m.
func grey(m gocv.Mat) *image.Gray {
	r := image.Rect(0, 0, m.Cols(), m.Rows())
	if r.Empty() {
		return image.NewGray(image.Rectangle{})
	}
	levels := m
	switch m.Type() {
	case gocv.MatTypeCV8UC1:
		if !m.IsContinuous() { // ToBytes knows no gaps between rows
			levels = m.Clone()
			defer levels.Close()
		}
	case gocv.MatTypeCV8UC3, gocv.MatTypeCV8UC4:
		levels = gocv.NewMat()
		defer levels.Close()
		gocv.CvtColor(m, &levels, gocv.ColorBGRToGray)
	default:
		panic(fmt.Errorf("gocvmat: a Mat of type %d, want 1, 3 or 4 channels of 8 bits", m.Type()))
	}
	return &image.Gray{Pix: levels.ToBytes(), Stride: r.Dx(), Rect: r}
}

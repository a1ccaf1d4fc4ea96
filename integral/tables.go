package integral

import (
	"errors"
	"fmt"
	"image"
	"math"
	"unsafe"

	"haarlem/internal/kernel/contrast"
	"haarlem/internal/luma"
)

// MaxPixels is the largest image that [Tables] accepts, 64 Mi pixels. Each
// table then takes 256 MB (twice that for an image one pixel wide or high),
// and the distance between any two cells fits into 31 bits.
const MaxPixels = 1 << 26

// ErrTooLarge reports an image of more than [MaxPixels] pixels.
var ErrTooLarge = errors.New("integral: image too large")

// slack is the number of elements after the last cell of a table. They let a
// vector load start at any cell. Their values are undefined.
const slack = contrast.Slack

// Kind selects tables besides that of sums. Combine kinds with |.
type Kind uint8

const (
	Squares Kind = 1 << iota // sums of squared pixels
	Tilted                   // sums of 45-degree triangles
)

// Tables are the integral images of one plane. Cell (X, Y) of each is element
// Y*Stride+X, for X from 0 to Width and Y from 0 to Height. The package comment
// defines its value. A few more elements follow the last cell.
//
// The zero value is ready for [Tables.Make], which reuses the memory of earlier
// tables. Any number of goroutines may read the same tables.
type Tables struct {
	Width, Height int // of the plane, in pixels
	Stride        int // from a cell to the one below

	Sums    []int32  // modulo 1<<32
	Squares []uint32 // modulo 1<<32; nil unless asked for
	Tilts   []int32  // modulo 1<<32; nil unless asked for

	// Buffers, kept even while a table is not requested.
	sums, squares, tilts []uint32
	columnSums           []uint32 // of each pixel column, down to the current row
	columnSquares        []uint32
	zeros, padded        []byte // rows of pixels with slack
}

func checkSize(width, height int) error {
	// An empty image may still be too wide for a row of cells.
	if width > MaxPixels || height > MaxPixels || width > 0 && height > MaxPixels/width {
		return fmt.Errorf("%w: %d x %d pixels, want at most %d in total and per side: scale it down or split it",
			ErrTooLarge, width, height, MaxPixels)
	}
	return nil
}

// Make computes the tables of img: sums always, others as kinds selects. It
// allocates nothing if t has held tables of this size before. The only error wraps
// [ErrTooLarge] and leaves t unchanged. Make panics if img.Pix is too short for its size.
func (t *Tables) Make(img *image.Gray, kinds Kind) error {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if err := checkSize(w, h); err != nil {
		return err
	}
	g := &luma.Plane{Pix: img.Pix, Stride: img.Stride, Width: w, Height: h}
	mustHold(g)
	t.Width, t.Height, t.Stride = w, h, w+1
	cells := t.Stride*(h+1) + slack

	t.sums = sized(t.sums, cells)
	t.Sums = signed(t.sums)
	t.Squares, t.Tilts = nil, nil
	if kinds&Squares != 0 {
		t.squares = sized(t.squares, cells)
		t.Squares = t.squares
	}
	if kinds&Tilted != 0 {
		t.tilts = sized(t.tilts, cells)
		t.Tilts = signed(t.tilts)
		t.tilt(g)
	}
	t.sum(g)
	return nil
}

// mustHold panics if g has fewer pixels than its size says.
func mustHold(g *luma.Plane) {
	if g.Width < 0 || g.Height < 0 {
		panic(fmt.Sprintf("integral: a plane of %d x %d pixels", g.Width, g.Height))
	}
	if g.Width == 0 || g.Height == 0 {
		return
	}
	if g.Stride < g.Width && g.Height > 1 || len(g.Pix) < (g.Height-1)*g.Stride+g.Width {
		panic(fmt.Sprintf("integral: a plane of %d x %d pixels, %d apart, in %d bytes", g.Width, g.Height, g.Stride, len(g.Pix)))
	}
}

// sized returns a slice of n elements. It reuses s if that is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// signed returns the same memory as signed numbers. Addition modulo 1<<32 is
// the same for both.
func signed(s []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// sum fills the tables of sums and squares. Each row of a table is the prefix
// sum of the column sums.
func (t *Tables) sum(g *luma.Plane) {
	w := g.Width
	t.columnSums = sized(t.columnSums, w+contrast.Slack)
	t.columnSquares = sized(t.columnSquares, w+contrast.Slack)
	clear(t.columnSums)
	clear(t.columnSquares)
	t.zeros = sized(t.zeros, w+contrast.Slack)
	t.padded = sized(t.padded, w+contrast.Slack)

	clear(t.sums[:t.Stride])
	if t.Squares != nil {
		clear(t.squares[:t.Stride])
	}
	for y := range g.Height {
		pix := g.Pix[min(y*g.Stride, len(g.Pix)):]
		if len(pix) < w+contrast.Slack { // one of the last rows
			copy(t.padded, pix[:w])
			pix = t.padded
		}
		contrast.Move(t.columnSums, t.columnSquares, pix, t.zeros, w)
		// The kernel may write past the row. The next row overwrites that.
		at := (y + 1) * t.Stride
		contrast.Prefix(t.sums[at:], t.columnSums, w)
		if t.Squares != nil {
			contrast.Prefix(t.squares[at:], t.columnSquares, w)
		}
	}
}

// tilt fills the table of triangles by the recurrence
//
//	T(X,Y) = T(X-1,Y-1) + T(X+1,Y-1) - T(X,Y-2) + p(X-1,Y-1) + p(X-1,Y-2)
//
// A triangle is the union of its upper left and upper right neighbours and of
// the two pixels at its tip. The neighbours overlap in the triangle two rows up.
func (t *Tables) tilt(g *luma.Plane) {
	w, stride := g.Width, t.Stride
	clear(t.tilts[:stride])
	if w == 0 {
		clear(t.tilts)
		return
	}
	if g.Height == 0 {
		return
	}
	first := t.tilts[stride:][:stride]
	first[0] = 0
	for x, p := range g.Pix[:w] {
		first[x+1] = uint32(p)
	}
	for y := 2; y <= g.Height; y++ {
		pix1, pix2 := g.Pix[(y-1)*g.Stride:][:w], g.Pix[(y-2)*g.Stride:][:w]
		dst, t1, t2 := t.tilts[y*stride:][:stride], t.tilts[(y-1)*stride:][:stride], t.tilts[(y-2)*stride:][:stride]
		tiltRow(dst, t1, t2, pix1, pix2)
	}
}

// tiltRow computes one row of len(pix1)+1 cells from the two rows above.
func tiltRow(dst, t1, t2 []uint32, pix1, pix2 []byte) {
	n := len(pix1)
	pix2 = pix2[:n]
	inner, up := dst[1:n], t2[1:n]
	left, right := t1[:len(inner)], t1[2:][:len(inner)]
	p1, p2 := pix1[:len(inner)], pix2[:len(inner)]
	up = up[:len(inner)]
	for i := range inner {
		inner[i] = left[i] + right[i] - up[i] + uint32(p1[i]) + uint32(p2[i])
	}
	// At the left border the image clips the triangle to its upper right
	// neighbour. At the right border the right half is missing.
	dst[0] = t1[1]
	dst[n] = t1[n-1] + uint32(pix1[n-1]) + uint32(pix2[n-1])
}

const (
	// sumPixels is the number of pixels whose sum always fits into 32 bits.
	sumPixels = math.MaxUint32 / 255
	// squarePixels is the same for the sum of squares.
	squarePixels = math.MaxUint32 / (255 * 255)
)

// Sum returns the sum of the pixels in r, counted from the top left pixel of
// the plane. It panics if r is not inside the plane.
func (t *Tables) Sum(r image.Rectangle) int64 {
	t.mustContain(r)
	return total(t.sums, t.Stride, r, sumPixels)
}

// SquareSum returns the sum of the squared pixels in r. It panics if r is not
// inside the plane, or if the tables were made without [Squares].
func (t *Tables) SquareSum(r image.Rectangle) int64 {
	if t.Squares == nil {
		panic("integral: no table of squares: give Squares to Make")
	}
	t.mustContain(r)
	return total(t.squares, t.Stride, r, squarePixels)
}

// total sums r in parts of at most limit pixels.
func total(table []uint32, stride int, r image.Rectangle, limit int) (sum int64) {
	for x := r.Min.X; x < r.Max.X; {
		w := min(r.Max.X-x, limit)
		for y := r.Min.Y; y < r.Max.Y; {
			h := min(r.Max.Y-y, limit/w)
			top, bottom := table[y*stride+x:], table[(y+h)*stride+x:]
			sum += int64(bottom[w] - bottom[0] - top[w] + top[0])
			y += h
		}
		x += w
	}
	return sum
}

func (t *Tables) mustContain(r image.Rectangle) {
	// r.In would accept every empty rectangle.
	if r.Min.X < 0 || r.Min.Y < 0 || r.Max.X > t.Width || r.Max.Y > t.Height || r.Min.X > r.Max.X || r.Min.Y > r.Max.Y {
		panic(fmt.Sprintf("integral: window %v is not inside %d x %d pixels", r, t.Width, t.Height))
	}
}

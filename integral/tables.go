package integral

import (
	"errors"
	"fmt"
	"image"
	"math"
	"math/bits"
	"unsafe"

	"haarlem/internal/kernel/contrast"
)

// MaxPixels is the largest number of pixels that [Tables] are made of, 64 Mi.
// Each table then takes 256 MB, twice that for an image one pixel wide or high,
// and the distance of any two cells fits into 31 bits.
const MaxPixels = 1 << 26

// ErrTooLarge says that an image has more than [MaxPixels] pixels.
var ErrTooLarge = errors.New("integral: image too large")

// Slack is the number of elements that follow the last cell of a table, so that
// loads of several cells at once may begin at any cell. Their content means
// nothing.
const Slack = contrast.Slack

// Kind says which tables to make besides that of sums. Kinds are added by |.
type Kind uint8

const (
	Squares Kind = 1 << iota // sums of squared pixels
	Tilted                   // sums of 45-degree triangles
)

// Tables are the integral images of one plane. Cell (X, Y) of each is element
// Y*Stride+X, for X from 0 to Width and Y from 0 to Height; see the package
// comment for what it holds. Behind each table's last cell there are [Slack]
// more elements.
//
// The zero value is ready for [Tables.Make], which uses the memory of earlier
// tables again. Once made, tables may be read by many goroutines.
type Tables struct {
	Width, Height int // of the plane, in pixels
	Stride        int // from a cell to the one below

	Sums    []int32  // modulo 1<<32
	Squares []uint32 // modulo 1<<32; nil unless asked for
	Tilts   []int32  // modulo 1<<32; nil unless asked for

	// Memory, also of tables that are not asked for now.
	sums, squares, tilts []uint32
	columnSums           []uint32 // of each pixel column, down to the current row
	columnSquares        []uint32
	zeros, padded        []byte // rows of pixels with slack
}

// CheckSize returns an error that is [ErrTooLarge] if an image of these bounds
// has more pixels than [MaxPixels]. Ask before [GreyOf]: an [image.Uniform], for
// one, has bounds that no memory holds.
func CheckSize(bounds image.Rectangle) error {
	return checkSize(bounds.Dx(), bounds.Dy())
}

func checkSize(width, height int) error {
	// An empty image may still be too wide for a row of cells.
	if width > MaxPixels || height > MaxPixels || width > 0 && height > MaxPixels/width {
		return fmt.Errorf("%w: %d x %d pixels; the most are %d in all and on a side, so scale it down or cut it up",
			ErrTooLarge, width, height, MaxPixels)
	}
	return nil
}

// Make turns t into the tables of g: sums always, others as kinds says. It
// allocates nothing if t has had tables of this size before. The error is
// [ErrTooLarge], and leaves t as it was. Make panics if g says that it is
// larger than its pixels are.
func (t *Tables) Make(g *Grey, kinds Kind) error {
	if err := checkSize(g.Width, g.Height); err != nil {
		return err
	}
	g.mustHold()
	w, h := g.Width, g.Height
	t.Width, t.Height, t.Stride = w, h, w+1
	cells := t.Stride*(h+1) + Slack

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

// sized returns memory for n elements, s where it is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// signed returns the same memory as signed numbers, which is what evaluators
// want for differences; additions modulo 1<<32 are the same for both.
func signed(s []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// sum makes the tables of sums and squares. A row of a table is one running sum
// over sums of pixel columns, which is what the scan does for contrasts too.
func (t *Tables) sum(g *Grey) {
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
		// The kernel may write behind the row: there, the next row follows.
		at := (y + 1) * t.Stride
		contrast.Prefix(t.sums[at:], t.columnSums, w)
		if t.Squares != nil {
			contrast.Prefix(t.squares[at:], t.columnSquares, w)
		}
	}
}

// tilt makes the table of triangles, by the recurrence
//
//	T(X,Y) = T(X-1,Y-1) + T(X+1,Y-1) - T(X,Y-2) + p(X-1,Y-1) + p(X-1,Y-2)
//
// A triangle is the two that are one pixel higher, on its left and on its
// right, less what these share, and the two pixels at its tip.
func (t *Tables) tilt(g *Grey) {
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

// tiltRow makes one row of len(pix1)+1 cells from the two rows before.
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
	// The triangle at the left border lacks its left half, so it is the one on
	// its right. At the right border its right half is missing.
	dst[0] = t1[1]
	dst[n] = t1[n-1] + uint32(pix1[n-1]) + uint32(pix2[n-1])
}

const (
	// sumPixels is how many pixels can be summed in 32 bits, whatever they are.
	sumPixels = math.MaxUint32 / 255
	// squarePixels is the same for their squares.
	squarePixels = math.MaxUint32 / (255 * 255)
)

// Sum returns the sum of the pixels in r; pixel (0, 0) is the plane's first.
// Like all methods that take a window, it panics if that is not inside the
// plane.
func (t *Tables) Sum(r image.Rectangle) int64 {
	t.mustContain(r)
	return total(t.sums, t.Stride, r, sumPixels)
}

// SquareSum returns the sum of the squared pixels in r. It panics if the tables
// were made without [Squares].
func (t *Tables) SquareSum(r image.Rectangle) int64 {
	if t.Squares == nil {
		panic("integral: no table of squares: give Squares to Make")
	}
	t.mustContain(r)
	return total(t.squares, t.Stride, r, squarePixels)
}

// total adds up r in parts of most pixels at most, which fit into 32 bits.
func total(table []uint32, stride int, r image.Rectangle, most int) (sum int64) {
	for x := r.Min.X; x < r.Max.X; {
		w := min(r.Max.X-x, most)
		for y := r.Min.Y; y < r.Max.Y; {
			h := min(r.Max.Y-y, most/w)
			top, bottom := table[y*stride+x:], table[(y+h)*stride+x:]
			sum += int64(bottom[w] - bottom[0] - top[w] + top[0])
			y += h
		}
		x += w
	}
	return sum
}

// Mean returns the mean grey level in r, NaN if r is empty.
func (t *Tables) Mean(r image.Rectangle) float64 {
	sum := t.Sum(r)
	return float64(sum) / float64(r.Dx()*r.Dy())
}

// MeanStdDev returns the mean grey level in r and the standard deviation from
// it (that of the pixels themselves: divided by their number, not by one less).
// Both are NaN if r is empty. The variance is worked out in integers, so a flat
// window's deviation is exactly zero. MeanStdDev panics if the tables were made
// without [Squares].
func (t *Tables) MeanStdDev(r image.Rectangle) (mean, sd float64) {
	q, s, n := uint64(t.SquareSum(r)), uint64(t.Sum(r)), uint64(r.Dx()*r.Dy())
	// n*n times the variance, n*q - s*s, may have more than 64 bits.
	high, low := bits.Mul64(n, q)
	sh, sl := bits.Mul64(s, s)
	low, borrow := bits.Sub64(low, sl, 0)
	high, _ = bits.Sub64(high, sh, borrow)
	v := float64(float64(high)*(1<<64)) + float64(low)
	return float64(s) / float64(n), math.Sqrt(v) / float64(n)
}

// TiltedSum returns the sum of the pixels in a rectangle that is turned by 45
// degrees, in the sense of Lienhart and Maydt, and of OpenCV's files: its top
// corner is at (x, y), from where its sides go w steps down to the right and h
// steps down to the left. It counts 2*w*h pixels. It panics if the tables were
// made without [Tilted], or if the rectangle is not inside the plane: x-h >= 0,
// y >= 0, x+w <= Width and y+w+h <= Height.
func (t *Tables) TiltedSum(x, y, w, h int) int64 {
	if t.Tilts == nil {
		panic("integral: no tilted table: give Tilted to Make")
	}
	if w < 0 || h < 0 || y < 0 || x-h < 0 || x+w > t.Width || y+w+h > t.Height {
		panic(fmt.Sprintf("integral: tilted rectangle at (%d,%d) with sides of %d and %d is not inside %d x %d pixels",
			x, y, w, h, t.Width, t.Height))
	}
	// As in total, in parts whose sums fit.
	const most = sumPixels / 2
	var sum int64
	for i := 0; i < w; {
		pw := min(w-i, most)
		for j := 0; j < h; {
			ph := min(h-j, most/pw)
			top := (y+i+j)*t.Stride + x + i - j
			right, left := top+pw*t.Stride+pw, top+ph*t.Stride-ph
			bottom := right + left - top
			sum += int64(t.tilts[top] - t.tilts[left] - t.tilts[right] + t.tilts[bottom])
			j += ph
		}
		i += pw
	}
	return sum
}

func (t *Tables) mustContain(r image.Rectangle) {
	// Not r.In, to which all empty rectangles are inside.
	if r.Min.X < 0 || r.Min.Y < 0 || r.Max.X > t.Width || r.Max.Y > t.Height || r.Min.X > r.Max.X || r.Min.Y > r.Max.Y {
		panic(fmt.Sprintf("integral: window %v is not inside %d x %d pixels", r, t.Width, t.Height))
	}
}

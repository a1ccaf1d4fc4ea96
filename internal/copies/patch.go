package copies

import (
	"cmp"
	"image"
	"math"
	"slices"

	"haarlem/integral"
)

// A patch is a square of a picture, around a blob.
type patch struct {
	code       uint64
	x, y, cell uint8 // centre and cells, in pixels of the picture that patches come from; 0 for the whole
}

// A square is where a patch is: centre and sides, in shares of the picture's.
type square struct{ x, y, w, h float32 }

// in returns where a patch is in a picture with such a texture.
func (p *patch) in(across, down uint8) square {
	if p.cell == 0 {
		return square{0.5, 0.5, 1, 1}
	}
	w, h := fine*float32(across), fine*float32(down)
	side := grain * float32(p.cell)
	return square{float32(p.x) / w, float32(p.y) / h, side / w, side / h}
}

const (
	grain    = 8 // a patch has grain x grain cells
	maxBlobs = 64
	faint    = 16 // sixteenths of a grey level: a weaker blob is noise
)

// cells are the sides of patches' cells, in pixels.
var cells = [...]int{2, 3, 4, 5, 6, 8, 10}

// A blob is 4x4 cells that are brighter or darker than the 8x8 around the same corner.
type blob struct{ x, y, cell, strength int }

// patches describes the surroundings of the strongest blobs. The last patch is the
// whole picture.
func patches(m *image.Gray) []patch {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	t := tables(m.Pix, w, h, m.Stride, 0)
	all := blobs(t, w, h)
	out := make([]patch, 0, len(all)+1)
	var grid [grain * grain]int64
	for _, b := range all {
		for i := range grid {
			x, y := b.x+(i%grain-grain/2)*b.cell, b.y+(i/grain-grain/2)*b.cell
			grid[i] = t.Sum(image.Rect(x, y, x+b.cell, y+b.cell))
		}
		out = append(out, patch{encode(&grid), uint8(b.x), uint8(b.y), uint8(b.cell)})
	}
	for i := range grid {
		u, v := i%grain, i/grain
		r := image.Rect(u*w/grain, v*h/grain, (u+1)*w/grain, (v+1)*h/grain)
		grid[i] = t.Sum(r) * 256 / int64(r.Dx()*r.Dy())
	}
	return append(out, patch{code: encode(&grid)})
}

// blobs returns the strongest blobs of a picture: maxima over places and sizes.
func blobs(t *integral.Tables, w, h int) []blob {
	var all []blob
	var level []int
	for k, c := range cells {
		if min(w, h) < 8*c {
			break
		}
		step := c / 2
		across, down := (w-8*c)/step+1, (h-8*c)/step+1
		level = level[:0]
		for v := range down {
			for u := range across {
				level = append(level, strength(t, 4*c+u*step, 4*c+v*step, c))
			}
		}
		for at, strength := range level {
			sign := 1
			if strength < 0 {
				strength, sign = -strength, -1
			}
			if strength < faint || !peak(level, across, at, sign) {
				continue
			}
			b := blob{4*c + at%across*step, 4*c + at/across*step, c, strength}
			if k > 0 && beats(t, b, cells[k-1], sign, w, h) || k+1 < len(cells) && beats(t, b, cells[k+1], sign, w, h) {
				continue
			}
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b blob) int { return cmp.Compare(b.strength, a.strength) })
	return all[:min(len(all), maxBlobs)]
}

// strength is how much brighter a blob is than its surroundings, in sixteenths of a
// grey level.
func strength(t *integral.Tables, x, y, cell int) int {
	square := func(side int) int64 { return t.Sum(image.Rect(x-side, y-side, x+side, y+side)) }
	in, all := square(2*cell), square(4*cell)
	return int((4*in - all) / (4 * int64(cell*cell)))
}

// peak reports whether no neighbour on a grid is stronger; of equals the first is.
func peak(level []int, across, at, sign int) bool {
	u, v := at%across, at/across
	for b := max(v-1, 0); b <= min(v+1, len(level)/across-1); b++ {
		for a := max(u-1, 0); a <= min(u+1, across-1); a++ {
			n := b*across + a
			if d := sign * (level[n] - level[at]); d > 0 || d == 0 && n < at {
				return false
			}
		}
	}
	return true
}

// beats reports whether a blob with other cells is stronger at nearly the same place.
func beats(t *integral.Tables, b blob, cell, sign, w, h int) bool {
	step := cell / 2
	for y := b.y - step; y <= b.y+step; y += step {
		for x := b.x - step; x <= b.x+step; x += step {
			if min(x, y, w-x, h-y) >= 4*cell && sign*strength(t, x, y, cell) > b.strength {
				return true
			}
		}
	}
	return false
}

// frequencies are those of a cosine transform of which the signs make a code, the
// lowest first.
var frequencies = func() (f [][2]int) {
	for n := 1; n < grain; n++ {
		for v := range n + 1 {
			f = append(f, [2]int{n - v, v})
		}
	}
	return f
}()

// cosines[u][x] is frequency u at place x, in 1024ths.
var cosines = func() (c [grain][grain]int64) {
	for u := range grain {
		for x := range grain {
			c[u][x] = int64(math.Round(1024 * math.Cos(math.Pi*float64(u)*(float64(x)+0.5)/grain)))
		}
	}
	return c
}()

func encode(grid *[grain * grain]int64) uint64 {
	var rows [grain][grain]int64 // frequency along x, then y
	for u := range grain {
		for i, v := range grid {
			rows[u][i/grain] += cosines[u][i%grain] * v
		}
	}
	code := uint64(0)
	for i, f := range frequencies {
		sum := int64(0)
		for y := range grain {
			sum += cosines[f[1]][y] * rows[f[0]][y]
		}
		if sum > 0 {
			code |= 1 << i
		}
	}
	return code
}

// Flips of a picture: left and right, up and down, or both.
const (
	flipX = 1 << iota
	flipY
	flips // how many there are, with none
)

// flipped are the bits of a code that a flip changes: signs of odd frequencies.
var flipped = func() (bits [flips]uint64) {
	for i, f := range frequencies {
		for k := range bits {
			if (k&flipX*f[0]+k/flipY*f[1])%2 != 0 {
				bits[k] |= 1 << i
			}
		}
	}
	return bits
}()

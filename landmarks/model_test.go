package landmarks

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// some is a random model, with numbers of any size.
func some(seed uint64, points, levels, trees, depth, components int) *Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Model{
		Name: "some", Notes: []string{"numbers", ""}, Box: Convention{Name: "none", Right: 0.25, Down: -0.5, Side: 1.5},
		Eyes: [2]int{1, 0}, Side: 20, Reach: 1.25,
	}
	vec := func(largest int32) Vec { return Vec{r.Int32N(2*largest+1) - largest, r.Int32N(2*largest+1) - largest} }
	for range points {
		m.Mean = append(m.Mean, vec(10*Unit))
	}
	for range levels {
		l := Level{Depth: depth, Components: components}
		for range 1 + r.IntN(40) {
			l.Features = append(l.Features, Feature{r.IntN(points), vec(5 * Unit)})
		}
		n := len(l.Features)
		for range trees * (1<<depth - 1) {
			l.Nodes = append(l.Nodes, Node{uint8(r.IntN(n)), uint8(r.IntN(n)), int8(r.IntN(256) - 128)})
		}
		for range trees << depth * components {
			l.Leaves = append(l.Leaves, int8(r.IntN(256)-128))
		}
		for range components * 2 * points {
			l.Basis = append(l.Basis, r.Int32N(1<<20)-1<<19)
		}
		m.Levels = append(m.Levels, l)
	}
	return m
}

func TestEncodeRead(t *testing.T) {
	for seed := range uint64(10) {
		m := some(seed, 2+int(seed), int(seed), int(seed)*5, 1+int(seed)%4, 1+int(seed))
		m.Coarse = some(seed+10, len(m.Mean), int(seed)/4, 3, 2, 2).Levels
		b := must.Bytes(m.Encode)
		got := must.Get(Read(iotest.OneByteReader(bytes.NewReader(b))))
		if again := must.Bytes(got.Encode); !bytes.Equal(again, b) {
			t.Errorf("model %d: %d bytes became %d others", seed, len(b), len(again))
		}
		if got.Name != m.Name || !slices.Equal(got.Notes, m.Notes) || got.Box != m.Box || got.Eyes != m.Eyes || !slices.Equal(got.Mean, m.Mean) || len(got.Levels) != len(m.Levels) || len(got.Coarse) != len(m.Coarse) {
			t.Errorf("%v became %v", m, got)
		}
	}
}

// Truncated and changed files are detected.
func TestReadDamaged(t *testing.T) {
	m := some(1, 3, 2, 3, 2, 2)
	b := must.Bytes(m.Encode)
	m.Coarse = m.Levels[:1]
	coarse := must.Bytes(m.Encode)
	for n := range coarse {
		if _, err := Read(bytes.NewReader(coarse[:n])); !errors.Is(err, ErrFormat) {
			t.Fatalf("the first %d of %d bytes with coarse levels: %v, want ErrFormat", n, len(coarse), err)
		}
	}
	for n := range b {
		if _, err := Read(bytes.NewReader(b[:n])); !errors.Is(err, ErrFormat) {
			t.Fatalf("the first %d of %d bytes: %v, want ErrFormat", n, len(b), err)
		}
		c := bytes.Clone(b)
		c[n] ^= 1 << (n % 8)
		if _, err := Read(bytes.NewReader(c)); !errors.Is(err, ErrFormat) {
			t.Fatalf("with byte %d changed: %v, want ErrFormat", n, err)
		}
	}
	if _, err := Read(bytes.NewReader(append(bytes.Clone(b), 0))); !errors.Is(err, ErrFormat) {
		t.Errorf("with a byte more: %v", err)
	}
	if _, err := Read(iotest.ErrReader(errors.ErrUnsupported)); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// sealed is a file of these bytes with the right checksum.
func sealed(b ...byte) []byte { return sealedAs(magic, b...) }

func sealedAs(magic string, b ...byte) []byte {
	b = append([]byte(magic), b...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// Errors name the field and the byte, and no memory is taken for what a file
// only promises.
func TestReadRefuses(t *testing.T) {
	box := append([]byte{0, 0, 0}, make([]byte, 24)...) // no name, no notes, no convention name
	plain := some(1, 2, 0, 0, 1, 1)
	plain.Name, plain.Notes = "", nil
	body := must.Bytes(plain.Encode)
	body = body[len(magic) : len(body)-4]
	for _, c := range []struct {
		file []byte
		want string
	}{
		{sealed(101), "the name, at byte 17: 101, want 0 to 100"},
		{sealed(4, 'a'), "the name, at byte 18: 1 bytes are left, want 4"},
		{sealed(0, 200, 1), "the number of notes, at byte 18: 200, want 0 to 100"},
		{sealed(append(slices.Clone(box), 1)...), "the number of points, at byte 44: 1, want 2 to 500"},
		{sealed(append(slices.Clone(box), 2, 2)...), "the left eye, at byte 45: 2, want 0 to 1"},
		{sealed(append(slices.Clone(box), 0x80)...), "the number of points, at byte 44: no whole number"},
		{sealedAs(magicCoarse, append(slices.Clone(body), 0)...), "the number of coarse levels, at byte 71: 0, want 1 to 64"},
	} {
		_, err := Read(bytes.NewReader(c.file))
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	var large bytes.Buffer
	large.WriteString(magic)
	large.Write(make([]byte, maxBytes))
	if _, err := Read(&large); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a large file: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for want, spoil := range map[string]func(m *Model){
		"points, want 2":       func(m *Model) { m.Mean = m.Mean[:1] },
		"a patch of 7":         func(m *Model) { m.Side = 7 },
		"a reach of":           func(m *Model) { m.Reach = 0 },
		"eyes are points":      func(m *Model) { m.Eyes = [2]int{1, 1} },
		"at one place":         func(m *Model) { clear(m.Mean) },
		"of the mean shape":    func(m *Model) { m.Mean[1].X = 21 * Unit },
		"sides of the box":     func(m *Model) { m.Box.Side = 0 },
		"level 1: 0 features":  func(m *Model) { m.Levels[1].Features = nil },
		"a depth of 9":         func(m *Model) { m.Levels[1].Depth = 9 },
		"nodes, want":          func(m *Model) { m.Levels[1].Nodes = m.Levels[1].Nodes[1:] },
		"numbers in leaves":    func(m *Model) { m.Levels[1].Leaves = m.Levels[1].Leaves[1:] },
		"numbers in the basis": func(m *Model) { m.Levels[1].Basis = nil },
		"is beside point 3":    func(m *Model) { m.Levels[0].Features[0].Point = 3 },
		"coarse level 0: 0":    func(m *Model) { m.Coarse = []Level{{}} },
		"65 coarse ones":       func(m *Model) { m.Coarse = make([]Level, 65) },
		"compares features":    func(m *Model) { m.Levels[0].Nodes[0].B = 255 },
		"basis 0 is":           func(m *Model) { m.Levels[0].Basis[0] = -1 << 31 },
		"a name of 101 bytes":  func(m *Model) { m.Name = strings.Repeat("a", 101) },
	} {
		m := some(2, 3, 2, 3, 2, 2)
		must.Do(m.Check())
		spoil(m)
		err := m.Check()
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, e := NewPredictor(m); e == nil {
			t.Errorf("%s: a predictor", want)
		}
		if e := m.Encode(new(bytes.Buffer)); e == nil {
			t.Errorf("%s: it is written", want)
		}
	}
}

// Whatever can be read can be run, and written unchanged. The checksum is
// corrected first, so that the rest is tested.
func FuzzRead(f *testing.F) {
	for seed := range uint64(3) {
		b := must.Bytes(some(seed, 3, 2, 2, 2, 3).Encode)
		f.Add(b[len(magic) : len(b)-4])
	}
	coarse := some(3, 3, 1, 2, 2, 3)
	coarse.Coarse = coarse.Levels
	b := must.Bytes(coarse.Encode)
	f.Add(b[len(magic) : len(b)-4])
	f.Add([]byte{})
	g := plane(30, 20, func(x, y float64) float64 { return 8*x - 3*y })
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Read(bytes.NewReader(sealed(b...)))
		if err != nil {
			m, err = Read(bytes.NewReader(sealedAs(magicCoarse, b...)))
		}
		if err != nil {
			return
		}
		m.Box.Boxes = Rough
		again, err := Read(bytes.NewReader(must.Bytes(m.Encode)))
		if err != nil || !bytes.Equal(must.Bytes(again.Encode), must.Bytes(m.Encode)) {
			t.Fatalf("written and read again it is another: %v", err)
		}
		p := must.Get(NewPredictor(m))
		if points := p.Points(nil, g.Gray(), Frame{X: 10, Y: 10, A: 12, B: 3}); len(points) != len(m.Mean) {
			t.Fatalf("%d points", len(points))
		}
	})
}

// Every architecture finds the same bits: a hash of the points found on amd64.
func TestPointsGolden(t *testing.T) {
	g := luma.Plane{Pix: make([]byte, 90*70), Stride: 90, Width: 90, Height: 70}
	for i := range g.Pix {
		g.Pix[i] = byte(i*i>>5 ^ i*7)
	}
	h := fnv.New64a()
	for seed := range uint64(8) {
		p := must.Get(NewPredictor(some(seed+20, 4+int(seed), 6, 40, 3, 4)))
		for _, f := range []Frame{{X: 40.3, Y: 30.7, A: 18.1}, {X: 50, Y: 20, A: 55.5, B: -13}, {X: 5, Y: 60, A: 150}, {X: 33, Y: 44, A: 1.5, B: 1.5}} {
			for _, q := range p.Points(nil, g.Gray(), f.Turned(11)) {
				fmt.Fprintf(h, "%x %x\n", math.Float64bits(q.X), math.Float64bits(q.Y))
			}
		}
	}
	if got, want := h.Sum64(), uint64(0xe03e79aec2f9d6ed); got != want {
		t.Errorf("the points' hash is %#x, want %#x", got, want)
	}
}

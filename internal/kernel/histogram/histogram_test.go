package histogram

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"haarlem/internal/kernel/kerneltest"
)

// want is the definition of Add.
func want(codes []uint64, stride, columns int, rows []int32, pairs [][2]int64) *Sums {
	h := new(Sums)
	for i, r := range rows {
		for k := range columns {
			p := &h[k][byte(codes[int(r)*stride]>>(8*k))]
			p[0] += pairs[i][0]
			p[1] += pairs[i][1]
		}
	}
	return h
}

// zeros returns sums that a call may write.
func zeros(m *kerneltest.Memory) *Sums {
	h := (*Sums)(unsafe.Pointer(&kerneltest.Out[uint64](m, int(unsafe.Sizeof(Sums{})/8))[0]))
	*h = Sums{}
	return h
}

// Every level adds what Add's comment says, with sums that wrap too, and reads no
// further than the last row.
func TestAdd(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		const limit = 40
		for c := range 5 * limit {
			n, columns := c/5, []int{1, 4, 5, 7, 8}[c%5]
			stride := 1 + n%3
			size := 0
			if n > 0 {
				size = (n-1)*stride + 1
			}
			codes, rows := kerneltest.In[uint64](m, size), kerneltest.In[int32](m, n)
			pairs := unsafe.Slice((*[2]int64)(unsafe.Pointer(unsafe.SliceData(kerneltest.In[uint64](m, 2*n)))), n)
			for i := range codes {
				codes[i] = m.Uint64()
				if i%5 > 0 { // the same bins again and again
					codes[i] = codes[i/5*5]
				}
			}
			for i := range pairs {
				pairs[i] = [2]int64{int64(m.Uint64()), int64(m.Uint64())}
				rows[i] = int32(i)
			}
			got := zeros(m)
			m.Call(func() { Add(got, codes, stride, columns, pairs) })
			if !slices.Equal(got[:columns], want(codes, stride, columns, rows, pairs)[:columns]) {
				t.Fatalf("%d rows, stride %d, %d columns: other sums", n, stride, columns)
			}
			for i := range rows {
				rows[i] = int32(m.IntN(n))
			}
			slices.Sort(rows)
			got = zeros(m)
			m.Call(func() { AddRows(got, codes, stride, columns, rows, pairs) })
			if !slices.Equal(got[:columns], want(codes, stride, columns, rows, pairs)[:columns]) {
				t.Fatalf("%d listed rows, stride %d, %d columns: other sums", n, stride, columns)
			}
		}
	})
}

// A row behind the codes is refused.
func TestAddRefuses(t *testing.T) {
	kerneltest.Refuses(t, map[string]func(){
		"too few codes": func() { Add(new(Sums), make([]uint64, 2), 2, 8, make([][2]int64, 2)) },
		"too few rows":  func() { AddRows(new(Sums), make([]uint64, 2), 1, 8, []int32{0, 2}, make([][2]int64, 2)) },
		"too few pairs": func() { AddRows(new(Sums), make([]uint64, 2), 1, 8, []int32{0, 1}, make([][2]int64, 1)) },
	})
}

func BenchmarkAdd(b *testing.B) {
	for k, name := range []string{"all", "listed", "all/half", "listed/half"} {
		b.Run(name, func(b *testing.B) {
			columns := Columns >> (k / 2)
			rng := rand.New(rand.NewPCG(1, 0))
			const n, stride = 2048, 3
			codes, pairs, rows := make([]uint64, 2*n*stride), make([][2]int64, n), make([]int32, n)
			for i := range codes {
				codes[i] = rng.Uint64()
			}
			for i := range rows {
				rows[i], pairs[i] = int32(2*i), [2]int64{rng.Int64(), rng.Int64()}
			}
			h := new(Sums)
			kerneltest.Bench(b, n*columns, func() {
				if k%2 == 0 {
					Add(h, codes, stride, columns, pairs)
				} else {
					AddRows(h, codes, stride, columns, rows, pairs)
				}
			})
		})
	}
}

// Package gemm multiplies matrices of float32: the inner loop of training a
// network. Every element of a product is a sum in one order, with each product
// and each sum rounded, so that every processor gives the same bits.
package gemm

// A Matrix has Rows rows of Columns elements, each row Stride elements after the
// one before.
type Matrix struct {
	Data                  []float32
	Rows, Columns, Stride int
}

// Of returns a matrix without gaps between its rows.
func Of(data []float32, rows, columns int) Matrix {
	return Matrix{data[:rows*columns], rows, columns, columns}
}

// check panics unless the matrix lies within its data.
func (m Matrix) check() {
	if m.Rows < 0 || m.Columns < 0 || m.Stride < m.Columns {
		panic("gemm: bad shape of a matrix")
	}
	if m.Rows > 0 && m.Columns > 0 {
		_ = m.Data[(m.Rows-1)*m.Stride+m.Columns-1]
	}
}

// Add adds the product of a and b to c, which overlaps neither: for every row i
// and column j of c, with A[i][p] an element of a,
//
//	for p := range a.Columns {
//		C[i][j] = float32(A[i][p]*B[p][j]) + C[i][j]
//	}
//
// It panics unless the shapes agree. Results are unspecified where one is not a
// number.
func Add(c, a, b Matrix) {
	if a.Rows != c.Rows || a.Columns != b.Rows || b.Columns != c.Columns {
		panic("gemm: the shapes of the matrices do not agree")
	}
	c.check()
	a.check()
	b.check()
	add(&c, &b, &left{a.Data, a.Stride, 1, a.Columns})
}

// AddTransposed is [Add] with the transpose of a.
func AddTransposed(c, a, b Matrix) {
	if a.Columns != c.Rows || a.Rows != b.Rows || b.Columns != c.Columns {
		panic("gemm: the shapes of the matrices do not agree")
	}
	c.check()
	a.check()
	b.check()
	add(&c, &b, &left{a.Data, 1, a.Stride, a.Rows})
}

// Transpose sets dst to the transpose of src. It panics unless the shapes agree.
func Transpose(dst, src Matrix) {
	if dst.Rows != src.Columns || dst.Columns != src.Rows {
		panic("gemm: the shapes of the matrices do not agree")
	}
	dst.check()
	src.check()
	for i := range src.Rows {
		for j, v := range src.Data[i*src.Stride:][:src.Columns] {
			dst.Data[j*dst.Stride+i] = v
		}
	}
}

// left is the left factor of a product, as it is or transposed: row and column
// are the distances from an element to that of the next row and column.
type left struct {
	data             []float32
	row, column, sum int // sum is the number of columns
}

func addGo(c, b *Matrix, a *left) {
	for i := range c.Rows {
		to := c.Data[i*c.Stride:][:c.Columns]
		for p := range a.sum {
			x := a.data[i*a.row+p*a.column]
			for j, y := range b.Data[p*b.Stride:][:len(to)] {
				to[j] = float32(x*y) + to[j]
			}
		}
	}
}

// Package integral makes integral images: tables that give the sum of any rectangle of pixels
// with four look-ups.
//
// # Integral images
//
// Cell (X, Y) of a sum table holds the sum of all pixels above and left of it:
// of those with x < X and y < Y. Row 0 and column 0 are therefore zero, and a
// table has one row and one column more than the image:
//
//	pixels     sum table
//	           0  0  0  0
//	1 2 3      0  1  3  6
//	4 5 6      0  5 12 21
//
// The sum of a rectangle is that of everything above and left of its bottom
// right corner, less what is left of the rectangle, less what is above it, plus
// what is both, since it was subtracted twice:
//
//	sum = S(right, bottom) - S(left, bottom) - S(right, top) + S(left, top)
//
// For the pixels 5 and 6 above that is 21 - 5 - 6 + 1 = 11. The features of
// Viola and Jones ("Rapid Object Detection using a Boosted Cascade of Simple
// Features", 2001) are differences of such rectangles, and so cost the same at
// any size.
//
// A table of squared pixels gives sums of squares in the same way. Both sums
// give the mean and the standard deviation of a window, by which its contrast
// is normalised.
//
// Lienhart and Maydt ("An Extended Set of Haar-like Features for Rapid Object
// Detection", 2002) add rectangles rotated by 45 degrees. Their table holds
// sums of triangles: cell (X, Y) adds the pixels with y < Y and |x-X+1| <=
// Y-y-1, which open upwards from the pixel left of and above the cell; here for
// the cell right below pixel T:
//
//	x x x x x
//	. x x x .
//	. . T . .
//
// The tables are those of OpenCV, cell for cell.
//
// # Arithmetic
//
// Sums of a large image need more than 32 bits, but cells hold them modulo
// 1<<32: a difference of cells is exact whenever the rectangle's own sum fits
// into 32 bits. The methods of [Tables] split larger rectangles, and so are
// exact at any size. Code that reads the tables itself must keep to rectangles
// of 16,843,009 pixels for unsigned sums, half as many for signed ones, and
// 66,051 pixels for squares; features of detectors are far below.
package integral

module haarlem

go 1.26.0

require (
	gocv.io/x/gocv v0.31.0
	golang.org/x/sys v0.49.0
)

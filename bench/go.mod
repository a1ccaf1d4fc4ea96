module haarlem/bench

go 1.26.0

require (
	github.com/esimov/pigo v1.4.6
	gocv.io/x/gocv v0.31.0
)

require haarlem v0.0.0

require (
	github.com/disintegration/imaging v1.6.2 // indirect
	golang.org/x/image v0.47.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace haarlem => ../

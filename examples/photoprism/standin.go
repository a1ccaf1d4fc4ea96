package face

// These are declared by PhotoPrism: leave this file out there.
type (
	EngineName      = string
	DetectionEngine interface {
		Name() EngineName
		Detect(fileName string, minSize int) (Faces, error)
		Close() error
	}
	Area struct {
		Name            string
		Row, Col, Scale int
	}
	Areas []Area
	Face  struct {
		Rows, Cols, Score int
		Area              Area
		Eyes, Landmarks   Areas
	}
	Faces []Face
)

func NewArea(name string, row, col, scale int) Area { return Area{name, row, col, scale} }

package dataset

// Options say how a file is read. nil and the zero value mean the same: every
// field's default. Fields that a format has no use for are ignored.
type Options struct {
	// Class is the name of the class column. Empty means the last column. In a
	// LIBSVM file the class always stands first.
	Class string

	// Target says what the class column holds.
	Target Target

	// Missing are words that mean a missing value in a CSV file beside "", "?",
	// "NA" and "NaN".
	Missing []string

	// Positive are the class names that become +1; all others become -1. Empty
	// means that the file must have exactly two classes, and that the last one
	// is positive: by number or name in CSV and LIBSVM, by the order of the
	// declaration in ARFF.
	Positive []string

	// Weight is the name of a column with row weights. Empty means none. ARFF
	// has its own way to write weights, which is always understood.
	Weight string

	// Nominal are the names of CSV columns whose values are names although they
	// look like numbers. Columns whose values do not look like numbers need not
	// be named.
	Nominal []string

	// Comma is what separates the fields of a CSV file. 0 means a comma.
	Comma rune

	// NoHeader says that the first line of a CSV file is data. The columns are
	// then called c1, c2 and so on.
	NoHeader bool

	// Limits bound what is read.
	Limits Limits
}

// Target says what the class column of a file holds.
type Target uint8

const (
	// TwoClasses are labels: what the rest of this package is about. The default.
	TwoClasses Target = iota
	// Numbers are to be predicted.
	Numbers
	// SeveralClasses are any number of classes.
	SeveralClasses
	// NoTarget means that there is no class column: all columns are attributes.
	NoTarget
)

func (o *Options) orDefault() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Comma == 0 {
		d.Comma = ','
	}
	d.Limits = d.Limits.orDefault()
	return d
}

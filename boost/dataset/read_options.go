package dataset

// Options define how a file is read. nil and the zero value mean the same:
// every field's default. Fields that do not apply to a format are ignored.
type Options struct {
	// Class is the name of the class column. Empty means the last column. In a
	// LIBSVM file the class is always first.
	Class string

	// Target is the kind of the class column.
	Target Target

	// Missing are additional words for a missing value in a CSV file, besides
	// "", "?", "NA" and "NaN".
	Missing []string

	// Positive are the class names that become +1; all others become -1. Empty
	// means that the file must have exactly two classes, and that the last one
	// is positive: by number or name in CSV and LIBSVM, by the order of the
	// declaration in ARFF.
	Positive []string

	// Classes are those of a model, in its order: rows of others are an error, and not
	// all need to come. Empty means those of the file. They do not go with Positive.
	Classes []string

	// Weight is the name of a column with row weights. Empty means none. ARFF's
	// own weights are always read.
	Weight string

	// Upper is the name of a column of a CSV file with the upper bounds of numbers;
	// nothing, a missing value or inf means none. Empty means that there is none such.
	Upper string

	// Group is the name of the column of a CSV file whose equal values are one group
	// of rows, such as one query of a ranking. Empty means none.
	Group string

	// Ignore are the names of CSV columns that are not read.
	Ignore []string

	// Nominal are the names of CSV columns whose values are names although they
	// look like numbers. Other nominal columns need not be listed.
	Nominal []string

	// Comma is the separator of a CSV file. 0 means a comma.
	Comma rune

	// DecimalComma says that numbers of a CSV file have a comma for a point.
	DecimalComma bool

	// Note, if not nil, receives what a reader of a CSV file did that may not be
	// meant: a column became names although its first value begins like a number.
	Note func(string)

	// NoHeader says that the first line of a CSV file is data. The columns are
	// then called c1, c2 and so on.
	NoHeader bool

	// Limits bound what is read.
	Limits Limits
}

// Target is the kind of the class column of a file.
type Target uint8

const (
	// TwoClasses are labels, as the rest of this package expects. The default.
	TwoClasses Target = iota
	// Numbers are regression targets.
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

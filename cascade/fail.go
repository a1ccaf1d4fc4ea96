package cascade

import "fmt"

// A bailout is what the readers of models panic with when a file is bad.
type bailout struct{ err error }

// fail ends the reading with an error, if it is one.
func fail(err error) {
	if err != nil {
		panic(bailout{err})
	}
}

func failf(format string, args ...any) { fail(fmt.Errorf(format, args...)) }

// catch calls read, and returns the error with which it failed.
func catch(read func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case bailout:
			err = p.err
		default:
			panic(p)
		}
	}()
	read()
	return nil
}

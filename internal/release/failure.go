package main

// A failure is what check panics with: an error that ends a function whose deferred
// caught returns it.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// get returns v, after a check.
func get[T any](v T, err error) T {
	check(err)
	return v
}

func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case failure:
		*err = p.error
	default:
		panic(p)
	}
}

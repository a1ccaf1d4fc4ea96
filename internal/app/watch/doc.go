// Package watch shows a training while it runs, in a browser: [Handler] serves its
// folder. [State] is the file in which a training says how far it is.
package watch

package cascade

// StopAfter has lanes halt behind other numbers of weak learners than they
// would by themselves, so that small cascades come to packs too.
func (d *Detector) StopAfter(weak ...int) { d.stopsAfter = weak }

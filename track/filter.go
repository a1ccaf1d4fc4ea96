package track

// A filter estimates one coordinate that moves at a nearly constant velocity:
// the Kalman filter of the white-noise acceleration model (Bar-Shalom, Li,
// Kirubarajan, "Estimation with Applications to Tracking and Navigation",
// 2001, section 6.2.2). Times are in seconds.
//
// Products are rounded before they are added, so that machines that fuse the
// two give the same boxes.
type filter struct {
	x, v          float64 // the coordinate and its velocity
	pxx, pxv, pvv float64 // their covariance
}

// newFilter starts at a measurement with standard deviation r, and with a velocity of
// zero with standard deviation speed.
func newFilter(x, r, speed float64) filter {
	return filter{x: x, pxx: r * r, pvv: speed * speed}
}

// advance moves the filter on by dt, with a random acceleration of density q
// squared.
func (f *filter) advance(dt, q float64) {
	qq := q * q
	d2 := dt * dt
	f.x += float64(f.v * dt)
	f.pxx += float64(2*dt*f.pxv) + float64(d2*f.pvv) + float64(qq*d2*dt/3)
	f.pxv += float64(dt*f.pvv) + float64(qq*d2/2)
	f.pvv += float64(qq * dt)
}

// measure takes in a measurement with standard deviation r.
func (f *filter) measure(z, r float64) {
	s := f.pxx + float64(r*r)
	kx, kv := f.pxx/s, f.pxv/s
	d := z - f.x
	f.x += float64(kx * d)
	f.v += float64(kv * d)
	f.pvv -= float64(kv * f.pxv)
	f.pxv -= float64(kx * f.pxv)
	f.pxx -= float64(kx * f.pxx)
}

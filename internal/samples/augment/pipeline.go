package augment

import (
	"image"

	"haarlem/internal/splitmix"
)

// draw makes one variant of the object on the patch. The effects are in the order
// of their causes: the object, light, exposure, film, print, scanner, file.
func (m *renderer) draw(img *image.Gray, j *Effects, d splitmix.Source, mirror bool, worn *landmarks) {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	v := m.view(j, d, width, height)
	m.sample(v, mirror)
	if j.plain() {
		m.bytes = m.canvas.bytes(m.bytes)
		m.fit(img, v)
		return
	}
	if worn != nil {
		m.canvas.darkFace(j, d.Fork(streamDark), worn)
		m.canvas.wear(j, d.Fork(streamWorn), worn)
	}
	m.degrade(img, j, d, v)
}

// degradeOnce applies light, film, print, scanner and file, and makes the bytes.
func (m *renderer) degradeOnce(j *Effects, d splitmix.Source, v *view) {
	c := &m.canvas
	c.light(j, d.Fork(streamLight))
	c.tone(j, d.Fork(streamTone))
	m.blur(j, d.Fork(streamBlur))
	m.grain(j, d.Fork(streamGrain))
	m.ink(j, d.Fork(streamInk))
	m.print(j, d.Fork(streamPrint))
	c.noise(j, d.Fork(streamNoise))
	c.faint(j, d.Fork(streamFaint))
	m.bytes = c.bytes(m.bytes)
	m.compress(j, d.Fork(streamJPEG))
	m.cutOff(j, d.Fork(streamCut), v)
}

// legibleTries is the largest number of tries for a legible variant; then the
// best try is taken.
const legibleTries = 8

// degrade applies light, film, print, scanner and file to the canvas, and makes
// its bytes and the window, so that it stays legible: training on illegible
// windows makes a detector worse everywhere.
func (m *renderer) degrade(img *image.Gray, j *Effects, d splitmix.Source, v *view) {
	if j.Legible == 0 {
		m.degradeOnce(j, d, v)
		m.fit(img, v)
		return
	}
	m.bytes = m.canvas.bytes(m.bytes)
	m.fit(img, v)
	clean := m.detail(0, img)
	m.clean = append(m.clean[:0], m.canvas.pix...)
	best := -2.0
	for try := range legibleTries {
		copy(m.canvas.pix, m.clean)
		m.degradeOnce(j, d.Fork(1000+try), v)
		m.try = room(m.try, len(img.Pix))
		tried := &image.Gray{Pix: m.try, Stride: img.Stride, Rect: img.Rect}
		m.fit(tried, v)
		if alike := correlation(clean, m.detail(1, tried)); alike > best {
			best = alike
			copy(img.Pix, tried.Pix)
			m.best, m.bytes = m.bytes, m.best
		}
		if best >= j.Legible {
			break
		}
	}
	m.bytes, m.best = m.best, m.bytes
}

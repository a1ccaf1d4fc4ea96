// Package clip draws video clips of moving synthetic faces with known truth: where each
// face is in each frame, and how much of it can be seen. Faces move, come nearer and go
// away, turn away and back, pass each other, and go behind posts. Trackers and programs
// that hide faces can be measured on them.
//
//	c := clip.New(facemodel.Builtin(), &clip.Options{People: 3, Turns: true})
//	for i := range c.Frames() {
//		img, truth := c.Frame(i), c.Truth(i)
//	}
//
// The same seed gives the same clip. Paths are worked out with sines, so that single
// pixels may differ between processors.
package clip

import (
	"cmp"
	"image"
	"math"
	"math/rand/v2"

	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/texture"
)

// Options says what happens in a clip. A nil *Options and the zero value mean every
// field's default.
type Options struct {
	Width, Height int    // 0 means 480x320
	Frames        int    // 0 means 150
	Rate          int    // frames a second; 0 means 25
	People        int    // 0 means 2
	Seed          uint64 // of everything random
	Smallest      int    // side of the smallest face, in pixels; 0 means 48
	Speed         float64

	Turns    bool // each person turns away for a second or two, now and then
	Posts    bool // people pass behind posts
	Together bool // all move at about the same height, and pass each other
}

// A Clip is drawn frame by frame. It may be used by many goroutines at once.
type Clip struct {
	o          Options
	background *image.Gray
	people     []person // the nearest last
	posts      []image.Rectangle
}

// An Object is the truth about a face in a frame.
type Object struct {
	ID int // from 1

	// Box is the square that a detector should find: around the middle of what is seen
	// of the face, which moves to one side of the head when it turns.
	Box image.Rectangle

	// Face is from the forehead to the chin, and from ear to ear as far as both are on
	// this side of the head.
	Face image.Rectangle

	// Visible is the share of the face that can be seen: 0 when it is turned away.
	Visible float64
}

type person struct {
	id           int
	level, alpha []float64 // of the sprite, row by row
	hair         float64
	side         float64 // of its box on average
	x, y, size   wave
	turns        []turn
	sway         wave
}

// A wave goes to and fro.
type wave struct{ middle, width, pace, start float64 }

func (w wave) at(t float64) float64 { return w.middle + w.width*math.Sin(w.pace*t+w.start) }

// A turn is of the head, to an angle and back.
type turn struct{ from, to, angle float64 }

const (
	spriteSide = 96  // of a face's box in its sprite, which is twice as large
	headWidth  = 0.6 // half the width of a head, in sides of the box
	turnTime   = 0.4 // seconds from straight to away
	hidden     = 65  // degrees from which a face counts as turned away
)

// New makes a clip.
func New(m *facemodel.Model, o *Options) *Clip {
	v := *cmp.Or(o, &Options{})
	for p, usual := range map[*int]int{&v.Width: 480, &v.Height: 320, &v.Frames: 150, &v.Rate: 25, &v.People: 2, &v.Smallest: 48} {
		if *p == 0 {
			*p = usual
		}
	}
	v.Speed = cmp.Or(v.Speed, 1)
	rng := rand.New(rand.NewPCG(v.Seed, 17))
	c := &Clip{o: v, background: texture.Draw(rng, v.Width, v.Height)}
	seconds := float64(v.Frames) / float64(v.Rate)
	w, h := float64(v.Width), float64(v.Height)
	for i := range v.People {
		p := person{id: i + 1, hair: 20 + 40*rng.Float64()}
		p.draw(m.Draw(rng))
		p.side = float64(v.Smallest) * (1.1 + 0.6*float64(i)/float64(max(v.People-1, 1)))
		room := p.side * 0.95 // from the edge to a face's middle
		random := func(middle, width, seconds float64) wave {
			return wave{middle, width, 2 * math.Pi / seconds, 2 * math.Pi * rng.Float64()}
		}
		p.size = random(1, 0.1, 5+3*rng.Float64())
		p.sway = random(0, 10*math.Pi/180, 2+rng.Float64())
		p.y = random(h/2+(rng.Float64()-0.5)*0.2*h, 0.06*h, 3+2*rng.Float64())
		if v.Together || v.Posts {
			p.x = random(w/2, w/2-room, (6+3*rng.Float64())/v.Speed)
		} else { // each in a part of their own
			part := w / float64(v.People)
			p.x = random(part*(float64(i)+0.5), max(0, part/2-room*0.8), (4+3*rng.Float64())/v.Speed)
		}
		if v.Turns {
			for t := 1 + 1.5*rng.Float64(); t < seconds-1; {
				away := 0.6 + 1.2*rng.Float64()
				angle := (85 + 65*rng.Float64()) * math.Pi / 180
				if rng.IntN(2) == 0 {
					angle = -angle
				}
				p.turns = append(p.turns, turn{t, t + 2*turnTime + away, angle})
				t += 2*turnTime + away + 1.5 + 2*rng.Float64()
			}
		}
		c.people = append(c.people, p)
	}
	if v.Posts {
		for i := range 2 {
			x := v.Width*(2*i+1)/4 + rng.IntN(21) - 10
			wide := v.Smallest * 3 / 2
			post := image.Rect(x-wide/2, 0, x+wide/2, v.Height)
			c.posts = append(c.posts, post)
			fill := texture.Draw(rng, wide, v.Height)
			for y := range fill.Rect.Dy() { // its own picture, behind which people go
				copy(c.background.Pix[c.background.PixOffset(post.Min.X, y):], fill.Pix[y*fill.Stride:][:wide])
			}
		}
	}
	return c
}

// draw makes the sprite: the face on black and on white say what covers what.
func (p *person) draw(f *facemodel.Face) {
	size := 2 * spriteSide
	box := image.Rect(spriteSide/2, spriteSide/2, spriteSide*3/2, spriteSide*3/2)
	on := func(level uint8) *image.Gray {
		g := image.NewGray(image.Rect(0, 0, size, size))
		for i := range g.Pix {
			g.Pix[i] = level
		}
		f.Paint(g, box)
		return g
	}
	black, white := on(0), on(255)
	for i := range black.Pix {
		a := 1 - float64(int(white.Pix[i])-int(black.Pix[i]))/255
		level := 0.0
		if a > 0.02 {
			level = float64(black.Pix[i]) / a
		} else {
			a = 0
		}
		p.level, p.alpha = append(p.level, min(level, 255)), append(p.alpha, a)
	}
}

// Frames is how many there are.
func (c *Clip) Frames() int { return c.o.Frames }

// Rate is frames a second.
func (c *Clip) Rate() int { return c.o.Rate }

// where is a person in a frame: the middle, the side of the box and the angle of the
// head.
func (c *Clip) where(p *person, i int) (x, y, side, angle float64) {
	t := float64(i) / float64(c.o.Rate)
	angle = p.sway.at(t)
	for _, turn := range p.turns {
		if share := min((t-turn.from)/turnTime, (turn.to-t)/turnTime, 1); share > 0 {
			angle += turn.angle * share
		}
	}
	return p.x.at(t), p.y.at(t), p.side * p.size.at(t), angle
}

// Frame draws a frame.
func (c *Clip) Frame(i int) *image.Gray {
	g := &image.Gray{Pix: append([]byte(nil), c.background.Pix...), Stride: c.background.Stride, Rect: c.background.Rect}
	for k := range c.people {
		c.people[k].paint(c, g, i)
	}
	for _, post := range c.posts {
		for y := post.Min.Y; y < post.Max.Y; y++ {
			at := g.PixOffset(post.Min.X, y)
			copy(g.Pix[at:at+post.Dx()], c.background.Pix[at:])
		}
	}
	// Sensors have noise.
	rng := rand.New(rand.NewPCG(c.o.Seed, uint64(i)<<8|3))
	for k := 0; k+1 < len(g.Pix); k += 2 {
		r := rng.Uint32()
		g.Pix[k] = uint8(min(max(int(g.Pix[k])+int(r%7)-3, 0), 255))
		g.Pix[k+1] = uint8(min(max(int(g.Pix[k+1])+int(r>>16%7)-3, 0), 255))
	}
	return g
}

// paint draws a person. The head is a cylinder that turns under its outline: the face
// moves to one side of it, and what comes from the other is hair.
func (p *person) paint(c *Clip, g *image.Gray, i int) {
	cx, cy, side, angle := c.where(p, i)
	area := image.Rect(int(cx-side), int(cy-side), int(cx+side)+1, int(cy+side)+1).Intersect(g.Rect)
	for py := area.Min.Y; py < area.Max.Y; py++ {
		v := (float64(py) + 0.5 - cy) / side
		for px := area.Min.X; px < area.Max.X; px++ {
			u := (float64(px) + 0.5 - cx) / side
			_, alpha := p.sample(u, v)
			if alpha == 0 {
				continue
			}
			level := p.hair
			if t := u / headWidth; math.Abs(t) < 1 {
				phi := math.Asin(t) - angle
				if front := math.Cos(phi); front > 0 {
					l, a := p.sample(headWidth*math.Sin(phi), v)
					share := min(1, 4*front) * a
					level += (l - level) * share
				}
			} else if math.Abs(angle) < 0.3 {
				level, _ = p.sample(u, v)
			}
			at := g.PixOffset(px, py)
			g.Pix[at] = uint8(float64(g.Pix[at])*(1-alpha) + level*alpha + 0.5)
		}
	}
}

// sample is the sprite at a place in sides of the box from its middle.
func (p *person) sample(u, v float64) (level, alpha float64) {
	const size = 2 * spriteSide
	x, y := (u+1)*spriteSide-0.5, (v+1)*spriteSide-0.5
	if x < 0 || y < 0 || x >= size-1 || y >= size-1 {
		return 0, 0
	}
	i, j := int(x), int(y)
	fx, fy := x-float64(i), y-float64(j)
	at := j*size + i
	mix := func(a []float64) float64 {
		return (a[at]*(1-fx)+a[at+1]*fx)*(1-fy) + (a[at+size]*(1-fx)+a[at+size+1]*fx)*fy
	}
	return mix(p.level), mix(p.alpha)
}

// Truth is where the faces are in a frame, turned away or not.
func (c *Clip) Truth(i int) []Object {
	var all []Object
	for k := range c.people {
		x, y, side, angle := c.where(&c.people[k], i)
		// Half a box is so many degrees of the head.
		half := math.Asin(0.5 / headWidth)
		turned := min(max(angle, -hidden*math.Pi/180), hidden*math.Pi/180)
		left := x + headWidth*side*math.Sin(max(turned-half, -math.Pi/2))
		right := x + headWidth*side*math.Sin(min(turned+half, math.Pi/2))
		middle := (left + right) / 2
		top, bottom := int(y-side/2+0.5), int(y+side/2+0.5)
		all = append(all, Object{
			ID: c.people[k].id, Visible: 1,
			Box:  image.Rect(int(middle-side/2+0.5), top, int(middle+side/2+0.5), bottom),
			Face: image.Rect(int(left+0.5), top, int(right+0.5), bottom),
		})
		if math.Abs(angle) > hidden*math.Pi/180 {
			all[k].Visible = 0
		}
	}
	for k := range all {
		cover := 0.0
		for _, post := range c.posts {
			cover = max(cover, share(all[k].Box, post))
		}
		for j := k + 1; j < len(all); j++ { // a head is larger than its box
			b := all[j].Box
			cover = max(cover, share(all[k].Box, b.Inset(-b.Dx()/8)))
		}
		all[k].Visible *= 1 - cover
	}
	return all
}

// share is that of a box that another covers.
func share(box, by image.Rectangle) float64 {
	r := box.Intersect(by)
	return float64(r.Dx()*r.Dy()) / float64(max(1, box.Dx()*box.Dy()))
}

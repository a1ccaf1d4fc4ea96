package main

// group is the people in the room, those at the back first.
var group = []face{
	// Far back, seen over the others' shoulders.
	{x: 262, y: 150, size: 34, tilt: 0.03, skin: colour{0.90, 0.70, 0.58}, hair: colour{0.40, 0.26, 0.14}, cloth: colour{0.30, 0.36, 0.48}, style: short, wide: 1, smile: 0.4},
	{x: 508, y: 148, size: 38, tilt: -0.05, skin: colour{0.95, 0.76, 0.64}, hair: colour{0.20, 0.13, 0.09}, cloth: colour{0.62, 0.34, 0.30}, style: bun, wide: 0.97, smile: 0.6},
	{x: 572, y: 176, size: 46, tilt: 0.06, skin: colour{0.66, 0.46, 0.34}, hair: colour{0.10, 0.08, 0.07}, cloth: colour{0.72, 0.70, 0.62}, style: short, wide: 1, smile: 0.3},
	{x: 330, y: 184, size: 54, tilt: -0.08, skin: colour{0.93, 0.73, 0.60}, hair: colour{0.62, 0.46, 0.24}, cloth: colour{0.36, 0.50, 0.40}, style: long, wide: 0.96, smile: 0.7},
	// The middle row.
	{x: 208, y: 226, size: 76, tilt: 0.05, gaze: 0.3, skin: colour{0.94, 0.75, 0.63}, hair: colour{0.58, 0.56, 0.54}, cloth: colour{0.26, 0.30, 0.40}, style: short, wide: 1.04, smile: 0.4},
	{x: 414, y: 210, size: 84, tilt: -0.04, gaze: -0.2, skin: colour{0.58, 0.40, 0.30}, hair: colour{0.09, 0.07, 0.06}, cloth: colour{0.74, 0.58, 0.30}, style: bun, wide: 0.97, smile: 0.8},
	{x: 616, y: 236, size: 72, tilt: 0.07, skin: colour{0.92, 0.72, 0.60}, hair: colour{0.30, 0.19, 0.11}, cloth: colour{0.42, 0.24, 0.30}, style: long, wide: 0.97, smile: 0.5},
	// The front row.
	{x: 98, y: 320, size: 122, tilt: -0.05, gaze: 0.4, skin: colour{0.95, 0.76, 0.63}, hair: colour{0.24, 0.15, 0.09}, cloth: colour{0.56, 0.24, 0.24}, style: long, wide: 0.97, smile: 0.7},
	{x: 306, y: 342, size: 142, tilt: 0.04, gaze: 0.1, skin: colour{0.93, 0.72, 0.59}, hair: colour{0.20, 0.13, 0.08}, cloth: colour{0.24, 0.34, 0.50}, style: short, wide: 1.02, smile: 0.5, beard: 0.25},
	{x: 512, y: 330, size: 130, tilt: -0.07, gaze: -0.2, skin: colour{0.70, 0.50, 0.38}, hair: colour{0.11, 0.08, 0.07}, cloth: colour{0.78, 0.76, 0.70}, style: short, wide: 1, smile: 0.4},
	{x: 702, y: 338, size: 116, tilt: 0.06, gaze: -0.4, skin: colour{0.96, 0.78, 0.67}, hair: colour{0.70, 0.54, 0.30}, cloth: colour{0.30, 0.44, 0.42}, style: long, wide: 0.96, smile: 0.8},
}

// drawGroup is the room with everybody in it.
func drawGroup() *canvas {
	v := drawRoom()
	for _, f := range group {
		f.paint(v)
	}
	return v
}

package main

import "math"

// Functions that all shapes are made of.

func lerp(a, b, t float64) float64    { return a*(1-t) + b*t }
func clamp(v, lo, hi float64) float64 { return math.Min(math.Max(v, lo), hi) }

// rise goes smoothly from 0 (v <= a) to 1 (v >= b).
func rise(a, b, v float64) float64 {
	t := clamp((v-a)/(b-a), 0, 1)
	return t * t * (3 - 2*t)
}

// bump is a hill of height 1 around (cx, cy), of widths sx and sy.
func bump(x, y, cx, cy, sx, sy float64) float64 {
	u, v := (x-cx)/sx, (y-cy)/sy
	return math.Exp(-(u*u + v*v) / 2)
}

// ellipse is below 1 inside the ellipse around (cx, cy) with half axes rx, ry.
func ellipse(x, y, cx, cy, rx, ry float64) float64 {
	u, v := (x-cx)/rx, (y-cy)/ry
	return u*u + v*v
}

// scatter is a hash of a grid point, uniform over 0 to 1. It replaces a random
// source, so that an image does not depend on the order of painting.
func scatter(x, y int, seed uint32) float64 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	h ^= h >> 15
	return float64(h) / (1 << 32)
}

// noise is smooth and between 0 and 1, with features about one unit wide.
func noise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	i, j := int(fx), int(fy)
	u, v := rise(0, 1, x-fx), rise(0, 1, y-fy)
	return lerp(
		lerp(scatter(i, j, seed), scatter(i+1, j, seed), u),
		lerp(scatter(i, j+1, seed), scatter(i+1, j+1, seed), u), v)
}

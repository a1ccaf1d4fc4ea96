package points

// Mirror68 returns the mirror image of each of 300-W's 68 points: jaw,
// eyebrows, nose, eyes, outer and inner border of the lips (Sagonas and others,
// 300 Faces in-the-Wild Challenge, ICCV Workshops 2013).
func Mirror68() []int {
	m := make([]int, 68)
	// Points from the first to the second, counted from 1, change places with
	// those that add up to the third with them.
	for _, r := range [][3]int{
		{1, 17, 18}, {18, 27, 45}, {28, 31, 0}, {32, 36, 68},
		{37, 40, 83}, {41, 42, 89}, {43, 46, 83}, {47, 48, 89},
		{49, 55, 104}, {56, 60, 116}, {61, 65, 126}, {66, 68, 134},
	} {
		for i := r[0]; i <= r[1]; i++ {
			if m[i-1] = r[2] - i - 1; r[2] == 0 {
				m[i-1] = i - 1
			}
		}
	}
	return m
}

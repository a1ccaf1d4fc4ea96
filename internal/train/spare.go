package train

// spare are windows beyond the quota of their image. They are taken if there are too few
// others: one more of each image in turn.
type spare struct {
	images [][]Negative
	count  int
}

// add keeps windows of one more image, while need more windows are wanted. What can no
// longer be taken is dropped from time to time: it may be several times as much.
func (s *spare) add(windows []Negative, need int) {
	s.images = append(s.images, windows)
	s.count += len(windows)
	if s.count > need+need/2+1000 {
		s.drop(need)
	}
}

// drop keeps the first need windows. Windows of further images come before those behind
// them, never after, and need only falls: what is dropped would not be taken.
func (s *spare) drop(need int) {
	kept := make([]int, len(s.images))
	s.count = 0
	s.inTurn(func(image, number int) bool {
		if s.count == need {
			return false
		}
		kept[image] = number + 1
		s.count++
		return true
	})
	for i, n := range kept {
		clear(s.images[i][n:])
		s.images[i] = s.images[i][:n]
	}
}

// appendTo appends windows until there are need.
func (s *spare) appendTo(all []Negative, need int) []Negative {
	s.inTurn(func(image, number int) bool {
		if len(all) >= need {
			return false
		}
		all = append(all, s.images[image][number])
		return true
	})
	return all
}

// inTurn calls use for the first window of each image, then the second of each, and so
// on, until it returns false.
func (s *spare) inTurn(use func(image, number int) bool) {
	var with []int // images that have more windows
	for i := range s.images {
		if len(s.images[i]) > 0 {
			with = append(with, i)
		}
	}
	for number := 0; len(with) > 0; number++ {
		more := with[:0]
		for _, i := range with {
			if !use(i, number) {
				return
			}
			if number+1 < len(s.images[i]) {
				more = append(more, i)
			}
		}
		with = more
	}
}

package table

func sum(dst, above []uint16, pix []byte)          { sumGo(dst, above, pix) }
func tilt(dst, t1, t2 []uint16, pix1, pix2 []byte) { tiltGo(dst, t1, t2, pix1, pix2) }
func split(dst, row []uint16, step, plane int)     { splitGo(dst, row, step, plane) }

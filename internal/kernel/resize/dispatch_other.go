package resize

func row(dst []uint16, src []byte, a *Axis)               { rowGo(dst, src, a) }
func blend(dst []byte, top, bottom []uint16, part uint16) { blendGo(dst, top, bottom, part) }

package boost

// setLink makes the inverse link of a loss that of the model.
func (m *Model) setLink(l Loss) {
	m.Link, m.Inverse = NoLink, nil
	if k, ok := l.(linked); ok {
		m.Link = k.link()
	} else if p := l.Inverse(0); p == p {
		m.Inverse = l.Inverse
	}
}

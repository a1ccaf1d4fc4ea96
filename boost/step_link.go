package boost

// setLink sets the model's inverse link to that of a loss.
func (m *Model) setLink(l Loss) {
	m.Link, m.Inverse = NoLink, nil
	if k, ok := l.(linked); ok {
		m.Link = k.link()
	} else if p := l.Inverse(0); p == p {
		m.Inverse = l.Inverse
	}
}

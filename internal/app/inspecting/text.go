package inspecting

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
)

// writeInspected writes the output of inspect as text.
func writeInspected(w io.Writer, m *Description) error {
	var b bytes.Buffer
	line := func(word, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", word, plainText(fmt.Sprintf(format, args...)))
	}
	line("model", "%s", m.Model)
	cost := fmt.Sprintf("%s, on a drawn texture of %dx%d pixels", costOf(&m.Texture), m.Texture.Width, m.Texture.Height)
	for _, l := range m.Facts(cost) {
		line(l.Name, "%s", l.Text)
	}
	b.WriteByte('\n')
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "exit\tlearners\tbehind\tthreshold\tlowest\thighest\t\n")
	for _, i := range listedExits(len(m.Exits)) {
		e := m.Exits[i]
		fmt.Fprintf(tw, "%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\n", i+1, e.Weak, e.After, e.Threshold, e.Low, e.High)
	}
	tw.Flush()
	for i := range m.Images {
		writeMeasured(&b, &m.Images[i])
	}
	if len(m.Files) > 0 {
		b.WriteByte('\n')
		for _, f := range m.Files {
			fmt.Fprintln(&b, plainText(f))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeMeasured writes how many windows pass each exit.
func writeMeasured(b *bytes.Buffer, m *measured) {
	fmt.Fprintf(b, "\n%s: %dx%d pixels, %d windows, %s\n", plainText(m.Name), m.Width, m.Height, m.Windows, costOf(m))
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "exit\twindows that pass\tshare\t\n")
	share := func(n int) float64 { return float64(n) / float64(max(1, m.Windows)) }
	fmt.Fprintf(tw, "contrast\t%d\t%.3g\t\n", m.Contrast, share(m.Contrast))
	for _, i := range listedExits(len(m.Passed)) {
		fmt.Fprintf(tw, "%d\t%d\t%.3g\t\n", i+1, m.Passed[i], share(m.Passed[i]))
	}
	tw.Flush()
}

// listedExits chooses the exits of a table, counted from 0: all of them if they
// are few, otherwise 1, 2, 3, 5, 7, 10, 20, 30, 50 and so on and the last.
func listedExits(n int) []int {
	var all []int
	for i := range n {
		at, unit := i+1, 1
		for at%10 == 0 {
			at, unit = at/10, unit*10
		}
		if n <= 40 || slices.Contains([]int{1, 2, 3, 5, 7}, at) || i == n-1 {
			all = append(all, i)
		}
	}
	return all
}

func costOf(m *measured) string {
	if m.Contrast == 0 {
		return "no window has the contrast"
	}
	return fmt.Sprintf("%.2f weak classifiers per window; %.0f%% of the windows have the contrast",
		m.WeakPerWindow, 100*float64(m.Contrast)/float64(max(1, m.Windows)))
}

// plainText makes text from files safe for terminals.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

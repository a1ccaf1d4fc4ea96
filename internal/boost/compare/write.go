package compare

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteText writes the report as text: for each number of rounds a table of
// mean error and deviation in per cent, with a star at the best, and the ranks
// with the times.
func (r *Report) WriteText(w io.Writer) error {
	how := fmt.Sprintf("stratified %d-fold cross-validation, seed %d", r.Folds, r.Seed)
	if r.Repeats > 1 {
		how = fmt.Sprintf("%s, %d times", how, r.Repeats)
	}
	if r.TrainRows > 0 {
		how = fmt.Sprintf("trained on the first %d rows and tested on the others, seed %d", r.TrainRows, r.Seed)
	}
	what := "Test errors in per cent"
	if r.Numbers {
		what = "Roots of mean squared errors"
		how = strings.TrimPrefix(how, "stratified ")
	}
	if _, err := fmt.Fprintf(w, "%s: %s.\n", what, how); err != nil {
		return err
	}
	heads := r.heads()
	for m, name := range r.Methods {
		if heads[m] != name {
			fmt.Fprintf(w, "  %s: %s\n", heads[m], name)
		}
	}
	for at, rounds := range r.Rounds {
		if _, err := fmt.Fprintf(w, "\nAfter %d rounds\n", rounds); err != nil {
			return err
		}
		if err := r.writeErrors(w, at, heads); err != nil {
			return err
		}
		fmt.Fprintln(w)
		if err := r.writeRanks(w, at); err != nil {
			return err
		}
	}
	return r.writeMargins(w, heads)
}

// writeMargins writes the table of Schapire, Freund, Bartlett and Lee, Boosting the
// margin (1998), section 1: for each table and number of rounds the smallest
// training margin, and the share in per cent of those of at most 0.5.
func (r *Report) writeMargins(w io.Writer, heads []string) error {
	if len(r.MarginRounds) == 0 {
		return nil
	}
	fmt.Fprint(w, "\nTraining margins: the smallest, and the share in per cent of at most 0.5\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "table\trounds\t")
	fmt.Fprintln(tw, strings.Join(heads, "\t")+"\t")
	for t, info := range r.Tables {
		for at, rounds := range r.MarginRounds {
			fmt.Fprintf(tw, "%s\t%d\t", info.Name, rounds)
			for _, c := range r.Cells[t] {
				fmt.Fprintf(tw, "%.3f %6.2f\t", c.SmallestMargin[at], 100*c.HalfMargin[at])
			}
			fmt.Fprintln(tw)
		}
	}
	return tw.Flush()
}

// heads are the methods' columns: their names if those fit, otherwise numbers.
func (r *Report) heads() []string {
	const wide = 80
	width := 0
	heads := make([]string, len(r.Methods))
	for m, name := range r.Methods {
		heads[m] = fmt.Sprintf("(%d)", m+1)
		width += len(name) + 2
	}
	if width <= wide {
		copy(heads, r.Methods)
	}
	return heads
}

// format returns how errors and deviations are written: in per cent, or to four digits.
func (r *Report) format() (errors, deviations string, scale float64) {
	if r.Numbers {
		return "%.4g", "%.2g", 1
	}
	return "%.2f", "%5.2f", 100
}

func (r *Report) writeErrors(w io.Writer, at int, heads []string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "table\trows\t+\t")
	format, deviation, scale := r.format()
	fmt.Fprintln(tw, strings.Join(heads, "\t")+"\t")
	for t, info := range r.Tables {
		best := r.Cells[t][0].At[at].Mean
		for _, c := range r.Cells[t] {
			best = min(best, c.At[at].Mean)
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t", info.Name, info.Rows, info.Positives)
		for _, c := range r.Cells[t] {
			star := " "
			if c.At[at].Mean <= best+tie {
				star = "*"
			}
			if len(c.At[at].Errors) > 1 {
				fmt.Fprintf(tw, format+" +-"+deviation+"%s\t", scale*c.At[at].Mean, scale*c.At[at].Deviation, star)
			} else {
				fmt.Fprintf(tw, format+"%s\t", scale*c.At[at].Mean, star)
			}
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}

func (r *Report) writeRanks(w io.Writer, at int) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	format, _, scale := r.format()
	fmt.Fprintln(tw, "method\t#best\t#second\t#worst\tmean rank\tmean error\tms a run\t")
	for _, k := range r.Ranks(at) {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%.2f\t"+format+"\t%.2f\t\n", k.Method, k.Best, k.Second, k.Worst, k.Mean, scale*k.Error, 1000*k.Seconds)
	}
	return tw.Flush()
}

// WriteCSV writes a line for each table, method and number of rounds, with all
// digits.
func (r *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "rows", "positives", "columns", "method", "rounds", "error", "deviation", "train_error", "rounds_made", "seconds"})
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for t, info := range r.Tables {
		for m, method := range r.Methods {
			c := &r.Cells[t][m]
			for at, rounds := range r.Rounds {
				x := &c.At[at]
				out.Write([]string{
					info.Name, strconv.Itoa(info.Rows), strconv.Itoa(info.Positives), strconv.Itoa(info.Columns),
					method, strconv.Itoa(rounds), number(x.Mean), number(x.Deviation), number(x.Train),
					number(c.RoundsMade), number(x.Seconds),
				})
			}
		}
	}
	out.Flush()
	return out.Error()
}

// WriteJSON writes everything except the margins.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	return enc.Encode(r)
}

// ForgetTimes sets all times to zero, so that two reports of the same
// experiment are the same bytes.
func (r *Report) ForgetTimes() {
	for _, row := range r.Cells {
		for m := range row {
			for at := range row[m].At {
				row[m].At[at].Seconds = 0
			}
		}
	}
}

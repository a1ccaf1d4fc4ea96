package video

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/frames"
)

// A journal keeps what was found in each frame of a file, in a file beside the output,
// so that a run that was killed can go on where it was: all that follows from the
// detections is worked out again, which is quick and gives the same bytes.
type journal struct {
	path  string
	known []journalFrame // of the run before
	f     *os.File
	w     *bufio.Writer
}

// A journalHead says what the frames below it are of.
type journalHead struct {
	Journal  string `json:"haarlem-detections"` // the version
	Settings string `json:"settings"`           // a digest of the input and of all that detections depend on
}

type journalFrame struct {
	Frame int             `json:"f"`
	At    time.Duration   `json:"t"`
	Took  time.Duration   `json:"ns"`
	Found []journalObject `json:"d"`
}

type journalObject struct {
	X, Y, W, H, N int
	Score         float64
}

const journalVersion = "1"

// journalPath is that of the journal of an output.
func journalPath(out string) string { return out + ".detections" }

// settingsDigest stands for a file, as it is now, and for all that detections in it
// depend on; models writes the models.
func settingsDigest(in string, stream *frames.StreamFlags, o *detector.Options, models func(io.Writer) error) (string, error) {
	info, err := os.Stat(in)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q %q\n", info.Size(), info.ModTime().UnixNano(), stream.Raw, stream.FPS)
	fmt.Fprintf(h, "%v %v %v %v %v %v %v %v %v %v %v\n", o.Scale, o.Enlarge, o.MinSize, o.MaxSize, o.MinNeighbors, o.Ungrouped, o.MinScore, o.MaxCandidates, o.Region, o.Angles, o.Framing)
	if err := models(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// openJournal begins a journal, or goes on with one if resume. settings is the digest
// of this run.
func openJournal(path, settings string, resume bool) (*journal, error) {
	j := &journal{path: path}
	head := journalHead{journalVersion, settings}
	length := int64(0)
	if resume {
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err == nil {
			if length, err = j.load(data, head); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if j.f, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666); err != nil {
		return nil, cli.Usage(err)
	}
	if err := j.f.Truncate(length); err != nil { // half a line, or all
		return nil, errors.Join(err, j.f.Close())
	}
	if _, err := j.f.Seek(length, io.SeekStart); err != nil {
		return nil, errors.Join(err, j.f.Close())
	}
	j.w = bufio.NewWriter(j.f)
	if length == 0 {
		return j, j.line(head)
	}
	return j, nil
}

// load reads a journal as far as it is whole, and returns how far that is.
func (j *journal) load(data []byte, head journalHead) (length int64, err error) {
	for n := 0; ; n++ {
		line, rest, whole := bytes.Cut(data[length:], []byte("\n"))
		if !whole {
			return length, nil
		}
		if n == 0 {
			var got journalHead
			if err := json.Unmarshal(line, &got); err != nil || got.Journal != journalVersion {
				return 0, cli.Usagef("%s: not a list of detections that can be read; without -resume it is written anew", j.path)
			}
			if got != head {
				return 0, cli.Usagef("%s: is of another input or of other flags; without -resume it is written anew", j.path)
			}
		} else {
			var f journalFrame
			if err := json.Unmarshal(line, &f); err != nil || f.Frame != n-1 {
				return length, nil // what was being written when the machine went down
			}
			j.known = append(j.known, f)
		}
		length = int64(len(data) - len(rest))
	}
}

// restore gives a frame what the run before found in it.
func (j *journal) restore(f *frames.Frame) bool {
	if j == nil || f.Index >= len(j.known) || j.known[f.Index].At != f.At {
		return false
	}
	k := j.known[f.Index]
	f.Took = k.Took
	f.Found = make([]detector.Detection, len(k.Found))
	for i, o := range k.Found {
		f.Found[i] = detector.Detection{Box: image.Rect(o.X, o.Y, o.X+o.W, o.Y+o.H), Neighbors: o.N, Score: o.Score}
	}
	return true
}

// add keeps what was found in the next frame.
func (j *journal) add(f *frames.Frame) error {
	if j == nil || f.Index < len(j.known) {
		return nil
	}
	k := journalFrame{f.Index, f.At, f.Took, make([]journalObject, len(f.Found))}
	for i, d := range f.Found {
		k.Found[i] = journalObject{d.Box.Min.X, d.Box.Min.Y, d.Box.Dx(), d.Box.Dy(), d.Neighbors, d.Score}
	}
	return j.line(k)
}

func (j *journal) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := j.w.Write(append(text, '\n')); err != nil {
		return err
	}
	return j.w.Flush()
}

// close keeps the journal for a run that goes on, unless everything is done.
func (j *journal) close(done bool) error {
	if j == nil {
		return nil
	}
	err := j.f.Close()
	if done {
		err = errors.Join(err, os.Remove(j.path))
	}
	return err
}

// Remove removes a journal that is closed.
func (j *journal) Remove() error { return os.Remove(j.path) }

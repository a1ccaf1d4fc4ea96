package operation

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/shard"
	"haarlem/picture"
)

// A searching is what the settings of a job say about a search.
type searching struct {
	Scale         float64         `json:"scale,omitempty"`
	MinSize       [2]int          `json:"minSize,omitzero"`
	MaxSize       [2]int          `json:"maxSize,omitzero"`
	Enlarge       float64         `json:"enlarge,omitempty"`
	MinNeighbors  int             `json:"minNeighbors,omitempty"`
	Ungrouped     bool            `json:"ungrouped,omitempty"`
	Overlapping   bool            `json:"overlapping,omitempty"`
	MinScore      float64         `json:"minScore,omitempty"`
	MaxCandidates int             `json:"maxCandidates,omitempty"`
	Windows       int             `json:"windows,omitempty"`
	Region        [4]int          `json:"region,omitzero"`
	Angles        []float64       `json:"angles,omitempty"`
	Search        *cascade.Search `json:"search,omitempty"`

	// Right, down, width and height.
	Framing [4]float64 `json:"framing,omitzero"`
}

// searchingOf leaves out what results do not depend on, and what is the default.
func searchingOf(o *detector.Options) searching {
	point := func(p image.Point) [2]int { return [2]int{p.X, p.Y} }
	s := searching{
		Scale: o.Scale, MinSize: point(o.MinSize), MaxSize: point(o.MaxSize), Enlarge: o.Enlarge, MinNeighbors: o.MinNeighbors,
		Ungrouped: o.Ungrouped, Overlapping: o.Overlapping, MinScore: o.MinScore, MaxCandidates: o.MaxCandidates,
		Windows: int(o.Windows), Angles: o.Angles, Search: o.Search,
		Framing: [4]float64{o.Framing.Right, o.Framing.Down, o.Framing.Width, o.Framing.Height},
		Region:  [4]int{o.Region.Min.X, o.Region.Min.Y, o.Region.Max.X, o.Region.Max.Y},
	}
	if s.Enlarge == 1 {
		s.Enlarge = 0
	}
	return s
}

// limits are what the settings of a job say about the reading of pictures.
type limits struct {
	MaxPixels int64 `json:"maxPixels"`
	MaxBytes  int64 `json:"maxBytes,omitempty"`
	Partial   bool  `json:"partial,omitempty"`
}

func limitsOf(o *picture.Options) limits {
	return limits{cmp.Or(o.MaxPixels, 100e6), o.MaxBytes, o.Partial}
}

// Sums are the SHA-256 of cascades, in our format.
func Sums(all []*cascade.Cascade) ([]string, error) {
	var s []string
	for _, c := range all {
		h := sha256.New()
		if err := c.Encode(h); err != nil {
			return nil, fmt.Errorf("model %s: %w", c.Name, err)
		}
		s = append(s, hex.EncodeToString(h.Sum(nil)))
	}
	return s, nil
}

// NewJob puts a job together.
func NewJob(operation, format, header string, shards int, models []string, settings any) (*shard.Job, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	return &shard.Job{Operation: operation, Shards: shards, Extension: format, Header: header, Models: models, Settings: text}, nil
}

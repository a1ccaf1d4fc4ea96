package frames

import (
	"haarlem/internal/app/cli"
	"haarlem/internal/video"
)

// StreamFlags say what a stream of frames does not say itself.
type StreamFlags struct {
	Raw, FPS string

	Opened Source // not nil: this one, instead of opening one
}

func (v *StreamFlags) Declare(f *cli.Flags) {
	f.String(&v.Raw, "raw", "a video is frames without any header in `LAYOUT`, such as yuv420p:1280x720")
	f.String(&v.FPS, "fps", "frames a second of a video that does not say its `RATE`: 25, 29.97, 30000/1001")
}

func (v *StreamFlags) Options() (*video.Options, error) {
	o := &video.Options{}
	var err error
	if v.Raw != "" {
		if o.Raw, err = video.ParseRaw(v.Raw); err != nil {
			return nil, cli.Usagef("-raw %w", err)
		}
	}
	if v.FPS != "" {
		if o.Rate, err = video.ParseRate(v.FPS); err != nil {
			return nil, cli.Usagef("-fps %w", err)
		}
	}
	return o, nil
}

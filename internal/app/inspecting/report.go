package inspecting

import (
	"haarlem/internal/inspect"
)

// Description is the output of inspect.
type Description struct {
	Model string `json:"model"`
	*inspect.Summary
	Texture measured   `json:"texture"` // the cost on inspect.Texture
	Images  []measured `json:"images,omitempty"`
	Files   []string   `json:"files,omitempty"`
}

// measured is an image and its cost.
type measured struct {
	Name          string  `json:"name,omitempty"`
	Width         int     `json:"width"`
	Height        int     `json:"height"`
	Windows       int     `json:"windows"`
	Contrast      int     `json:"withContrast"`
	WeakPerWindow float64 `json:"weakClassifiersPerWindow"` // over those with contrast
	Passed        []int   `json:"passed"`                   // windows that pass each exit
}

package measuring

import (
	"haarlem/cascade"
	"haarlem/internal/app/cli"
)

// evalFlags are those of eval.
type evalFlags struct {
	flags              *cli.Flags
	models, detections []string
	cascades           []*cascade.Cascade // those of models, as they are
	TruthFlags
	MatchFlags

	scale, enlarge       float64
	minSize, maxSize     int
	minNeighbors         int
	sweep                string
	output, json, misses string
	plots                []string
	plotTo, at, workers  int

	precision         bool
	subsets, recallBy []string

	evalShardFlags
}

// evalShardFlags cut an evaluation into shards, and put it together.
type evalShardFlags struct {
	shard, out, from string
}

func (v *evalShardFlags) declare(f *cli.Flags) {
	f.Group("Many machines")
	f.String(&v.shard, "shard", "search only shard `I/N` of the photographs, from 0/N to N-1/N, and write what is found into -out")
	f.String(&v.out, "out", "`FOLDER` for the shards")
	f.String(&v.from, "from", "measure what the shards in `FOLDER` have found. All other flags must be theirs")
}

package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// MaxShards is the largest number of shards of a job.
const MaxShards = 99999

// Of returns the shard, of n, that a name belongs to: the first eight bytes of its
// SHA-256, as a big-endian number, modulo n.
func Of(name string, n int) int {
	sum := sha256.Sum256([]byte(name))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
}

// A Part is one shard of so many.
type Part struct{ Index, Count int }

// ParsePart reads "3/64": shard 3 of 64, which are numbered from 0.
func ParsePart(text string) (Part, error) {
	index, count, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !ok || err1 != nil || err2 != nil || n < 1 || n > MaxShards || i < 0 || i >= n {
		return Part{}, fmt.Errorf("%q is no shard: want I/N, with N from 1 to %d and I from 0 to N-1, such as 3/64", text, MaxShards)
	}
	return Part{i, n}, nil
}

func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Count) }

// stem is the beginning of the names of its files.
func (p Part) stem() string { return fmt.Sprintf("part-%05d-of-%05d", p.Index, p.Count) }

package training

import (
	"fmt"
	"runtime/metrics"
	"strconv"
	"strings"
)

// ParseBytes parses a number of bytes with its unit: 512MiB, 4GB, 4G.
func ParseBytes(s string) (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	number := strings.TrimRight(text, "BIKMGT ")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
		"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	}[strings.TrimSpace(text[len(number):])]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok || !(v > 0 && v*unit < 1<<62) {
		return 0, fmt.Errorf("%q is no amount of memory, want one such as 4GiB or 800MB", s)
	}
	if v*unit < 64<<20 {
		return 0, fmt.Errorf("%s is too little, want at least 64MiB", s)
	}
	return int64(v * unit), nil
}

// defaultMemory is that of a training without -memory, in bytes.
const defaultMemory = 4 << 30

// memoryInUse is how many bytes this program holds of the system's memory.
func memoryInUse() int64 {
	all := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(all)
	for _, s := range all {
		if s.Value.Kind() != metrics.KindUint64 {
			return 0
		}
	}
	return int64(all[0].Value.Uint64() - all[1].Value.Uint64())
}

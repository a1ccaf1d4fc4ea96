package main

import "runtime/metrics"

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

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"haarlem/cloud/task"
	"haarlem/internal/must"
)

// The bill is of the pictures' own size and time, and of no more than was asked for.
func TestBill(t *testing.T) {
	var out bytes.Buffer
	list := filepath.Join(t.TempDir(), "names.txt")
	must.Do(os.WriteFile(list, []byte(strings.Repeat("../../samples/group.png\n", 9)+"nowhere.png\n"), 0o666))
	for _, mode := range []string{"detect", "blur"} {
		out.Reset()
		must.Do(run(context.Background(), []string{"-list", list, "-mode", mode, "-pictures", "1e9", "-machines", "1,1000"}, &out, &out))
		info := must.Get(os.Stat("../../samples/group.png"))
		m := regexp.MustCompile(`(?s)^1000000000 pictures of (\d+) kB, (\S+) ms of a processor each \(measured on 10 of 10, of (\S+) megapixels; 1 could not be read\)\n.*\n +1 .*\n +1000 .* (\d+) +(\d+)\n$`).FindStringSubmatch(out.String())
		if m == nil {
			t.Fatal(out.String())
		}
		kB, _ := strconv.ParseFloat(m[1], 64)
		if want := 0.9 * float64(info.Size()) / 1e3; kB < want-1 || kB > want+1 {
			t.Errorf("%v kB, want %v", kB, want)
		}
		if ms, _ := strconv.ParseFloat(m[2], 64); ms <= 0 || m[3] == "0.0" {
			t.Errorf("%s ms, %s megapixels", m[2], m[3])
		}
		rate, _ := strconv.Atoi(m[4])
		limit := map[string]int{"detect": 5500, "blur": 3500}[mode]
		if prefixes, _ := strconv.Atoi(m[5]); rate < 1 || prefixes < rate/limit || prefixes > rate/limit+1 {
			t.Errorf("%d pictures a second, %d prefixes", rate, prefixes)
		}
	}
	for _, args := range [][]string{{}, {"-pictures", "10", "-machines", "0"}, {"-list", list, "-mode", "mine"}, {"-pictures", "10", "x"}} {
		if err := run(context.Background(), args, &out, &out); !errors.Is(err, task.ErrSettings) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// Without machines that go, a job takes its processor time, and machines share it.
func TestSimulate(t *testing.T) {
	j := job{pictures: 1e8, seconds: 0.02, hours: 0.25, cores: 16, shards: 139}
	alone := j.simulate(1, 1)
	if want := 1e8 * 0.02 / 16 / 3600; alone.hours < 0.99*want || alone.hours > 1.01*want || alone.wasted != 0 {
		t.Errorf("%v hours, want %v; wasted %v", alone.hours, want, alone.wasted)
	}
	if eight := j.simulate(8, 1); alone.hours/eight.hours < 7.5 || alone.hours/eight.hours > 8.01 {
		t.Errorf("8 machines are %v times as fast", alone.hours/eight.hours)
	}
	j.lost = 0.5
	if r := j.simulate(8, 1); r.wasted <= 0 || r.used <= alone.used {
		t.Errorf("with losses: %v", r)
	}
}

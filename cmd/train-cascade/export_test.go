package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade"
)

// export writes files and says what they need. It does not leave a verifier out unless
// told to, and replaces nothing.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	export := func(args ...string) (status int, out, err string) {
		var o, e strings.Builder
		status = run(context.Background(), append([]string{"export", "-model", "frontalface", "-out", dir}, args...), &o, &e)
		return status, o.String(), e.String()
	}
	if status, _, err := export(); status != statusFailed || !strings.Contains(err, "-without-verifier") {
		t.Errorf("with a verifier: status %d, %s", status, err)
	}
	status, out, err := export("-without-verifier", "-profile", "small", "-picture", "160x120", "-min-size", "20", "-windows", "../../samples/group.png")
	if status != statusOK || !strings.Contains(out, filepath.Join(dir, "frontalface.h")) {
		t.Fatalf("status %d, %s%s", status, out, err)
	}
	for _, want := range []string{"verifier of the cascade is left out", "rounded to 8 and 16 bits", "RAM: "} {
		if !strings.Contains(out, want) {
			t.Errorf("output does not say %q:\n%s", want, out)
		}
	}
	if m, err := cascade.Open(filepath.Join(dir, "frontalface.cascade")); err != nil || m.Verifier != nil {
		t.Errorf("the rounded cascade: %v", err)
	}
	if status, _, err := export("-without-verifier"); status != statusFailed || !strings.Contains(err, "is there already") {
		t.Errorf("a file that is there: status %d, %s", status, err)
	}
	for _, bad := range [][]string{{"-picture", "160"}, {"-picture", "160x120x3"}, {"-scale", "1"}, {"-refine-x", "9000"}, {"-as", "pascal"}, {"FILE"}} {
		if status, _, err := export(append([]string{"-without-verifier", "-overwrite"}, bad...)...); status != statusUsage {
			t.Errorf("%v: status %d, %s", bad, status, err)
		}
	}
	// A folder is one file with a cascade's rounded numbers beside it.
	both := filepath.Join(dir, "both")
	if status, out, err := export("-model", dir, "-profile", "small", "-out", both); status != statusOK || !strings.Contains(out, ".h\n"+filepath.Join(both, "frontalface.cascade")) {
		t.Errorf("a folder: status %d, %s%s", status, out, err)
	}
	if status, _, err := export("-model", dir, "-as", "arduino", "-out", both); status != statusUsage || !strings.Contains(err, "want c or js") {
		t.Errorf("a folder as a library: status %d, %s", status, err)
	}
	for format, file := range map[string]string{
		"js": "frontalface.mjs", "tables": "frontalface/testbench.v",
		"arduino": "frontalface/library.properties", "esp-idf": "frontalface/CMakeLists.txt", "zephyr": "frontalface/zephyr/module.yml",
	} {
		if status, _, err := export("-without-verifier", "-overwrite", "-as", format); status != statusOK {
			t.Errorf("%s: status %d, %s", format, status, err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))); err != nil || len(text) == 0 {
			t.Errorf("%s: %v, %d bytes", format, err, len(text))
		}
	}
}

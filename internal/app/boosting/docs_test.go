package boosting

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

// TestDocsProgram: the program in docs/boosting.md runs as printed there: it fits a
// CSV file, and serves the probabilities of other rows.
func TestDocsProgram(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/boosting.md"))
	_, rest, found := strings.Cut(string(page), "```go\npackage main\n")
	program, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/boosting.md has no program")
	}
	body := program[strings.Index(program, "func main"):]
	if n := strings.Count(body, "\n"); n > 30 {
		t.Errorf("the program has %d lines, want at most 30", n)
	}
	dir := t.TempDir()
	source, binary := write(t, filepath.Join(dir, "main.go"), "package main\n"+program), filepath.Join(dir, "program.exe")
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	address := free.Addr().String()
	free.Close()
	server := exec.Command(binary, write(t, filepath.Join(dir, "shop.csv"), shop(300, 0, true)), address)
	must.Do(server.Start())
	defer server.Wait()
	defer server.Process.Kill()
	ask := func(csv string) (int, string) {
		for tries := 0; ; tries++ {
			r, err := http.Post("http://"+address, "text/csv", strings.NewReader(csv))
			if err != nil {
				if tries == 500 {
					t.Fatal(err)
				}
				time.Sleep(20 * time.Millisecond)
				continue
			}
			defer r.Body.Close()
			text := must.Get(io.ReadAll(r.Body))
			return r.StatusCode, string(text)
		}
	}
	status, text := ask("size,colour,price\n1,red,9\n,blue,9\n")
	var p []float64
	if err := json.Unmarshal([]byte(text), &p); err != nil || status != http.StatusOK || len(p) != 2 || !(p[0] > 0.6 && p[1] < 0.3) {
		t.Errorf("status %d: %s", status, text)
	}
	if status, text := ask("size,colour\n1,red\n"); status != http.StatusBadRequest || !strings.Contains(text, "price") {
		t.Errorf("without a column: status %d, %s", status, text)
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// The server says where it is, listens on this machine only, answers what
// detect -format json prints, and ends in good order.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	read, write := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"serve", "-addr", "127.0.0.1:0", "-model", detecttest.Drawn}, nil, write, &stderr)
		write.Close()
	}()
	var url string
	if _, err := fmt.Fscanln(read, &url); err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("it says %q, %v; stderr: %s", url, err, &stderr)
	}
	data := must.Get(os.ReadFile(detecttest.Group))
	answer := must.Get(http.Post(url+"detect?min-size=60&name="+detecttest.Group, "image/png", bytes.NewReader(data)))
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := call(nil, "-model", detecttest.Drawn, "-format", "json", "-min-size", "60", detecttest.Group)
	if answer.StatusCode != 200 || withoutTimes(string(body)) != withoutTimes(want) {
		t.Errorf("status %d, got\n%swant\n%s", answer.StatusCode, body, want)
	}
	stop()
	select {
	case got := <-status:
		if got != statusOK {
			t.Errorf("status %d at the end, stderr: %s", got, &stderr)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}

func TestServeUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"want no arguments":   {"picture.png"},
		"there is no such":    {"-model", "nothing.xml"},
		"-timeout":            {"-timeout", "0s"},
		"-grace":              {"-grace", "-1s"},
		"want a name without": {"-allow-host", "http://a"},
		"-max-bytes":          {"-max-bytes", "many"},
		"-max-pixels":         {"-max-pixels", "0"},
		"no-keys.txt":         {"-api-keys", "no-keys.txt"},
		"there is no key":     {"-api-keys", os.DevNull},
		"Rate -1":             {"-rate", "-1"},
		"Workers -1":          {"-workers", "-1"},
		"-cert":               {"-cert", "nowhere.pem"},
		"two models":          {"-model", detecttest.Drawn + "," + detecttest.Drawn},
		"99999":               {"-addr", "127.0.0.1:99999"},
		"unknown flag -adder": {"-adder", "x"},
	} {
		status, out, stderr := call(nil, append([]string{"serve"}, args...)...)
		if status != statusUsage || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("serve %q: status %d, stdout %q, stderr %q; want %d and %q", args, status, out, stderr, statusUsage, want)
		}
	}
}

// The page as files.
func TestServeWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "page")
	status, out, stderr := call(nil, "serve", "-write", dir)
	if status != statusOK || !strings.Contains(out, dir) || stderr != "" {
		t.Fatalf("status %d, stdout %q, stderr %q", status, out, stderr)
	}
	index, err := os.ReadFile(filepath.Join(dir, "models", "index.json"))
	if err != nil || !strings.Contains(string(index), "frontalface") {
		t.Errorf("%s %v", index, err)
	}
	for _, name := range []string{"index.html", "detector.wasm.gz", "worker.js", "sw.js"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A second SIGTERM ends a server at once that waits for its time of grace.
func TestServeKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such signal")
	}
	cmd := itself("serve", "-addr", "127.0.0.1:0", "-model", detecttest.Drawn, "-grace", "1m")
	stdout := must.Get(cmd.StdoutPipe())
	must.Do(cmd.Start())
	defer cmd.Process.Kill()
	var address string
	must.Get(fmt.Fscanf(stdout, "http://%s\n", &address))
	c := must.Get(net.Dial("tcp", strings.TrimSuffix(address, "/")))
	defer c.Close()
	// A request that is being answered: its body does not come.
	fmt.Fprintf(c, "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("%q %v", line, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	began := time.Now()
	for {
		must.Do(cmd.Process.Signal(syscall.SIGTERM))
		select {
		case <-ended:
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			return
		case <-time.After(time.Second):
			if time.Since(began) > 30*time.Second {
				t.Fatal("it does not end")
			}
		}
	}
}

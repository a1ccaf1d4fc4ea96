package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// served starts a server on this machine, and returns where it is and what ends it in good
// order.
func served(t *testing.T, args ...string) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	read, write := io.Pipe()
	var stderr bytes.Buffer // for after the end
	status := make(chan int, 1)
	go func() {
		got := run(ctx, append([]string{"serve", "-addr", "127.0.0.1:0", "-model", detecttest.Drawn}, args...), nil, write, &stderr)
		write.Close()
		status <- got
	}()
	if _, err := fmt.Fscanln(read, &url); err != nil || !strings.Contains(url, "://127.0.0.1:") {
		cancel()
		t.Fatalf("it says %q, %v, and ends with status %d; stderr: %s", url, err, <-status, &stderr)
	}
	return url, func() {
		t.Helper()
		cancel()
		select {
		case got := <-status:
			if got != statusOK {
				t.Errorf("status %d at the end, stderr: %s", got, &stderr)
			}
		case <-time.After(time.Minute):
			t.Fatal("it does not end")
		}
	}
}

// The server says where it is, listens on this machine only, answers what
// detect -format json prints, over https with a certificate, and ends in good order.
func TestServe(t *testing.T) {
	cert, key := selfSigned(t, t.TempDir())
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(must.Get(os.ReadFile(cert)))
	client := func(roots *x509.CertPool) *http.Client {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}, Timeout: 2 * time.Minute}
	}
	data := must.Get(os.ReadFile(detecttest.Group))
	want := works(t, "-model", detecttest.Drawn, "-format", "json", "-min-size", "60", detecttest.Group)
	for scheme, args := range map[string][]string{"http": nil, "https": {"-cert", cert, "-key", key}} {
		url, stop := served(t, args...)
		answer := must.Get(client(trusted).Post(url+"detect?min-size=60&name="+detecttest.Group, "image/png", bytes.NewReader(data)))
		body := must.Get(io.ReadAll(answer.Body))
		answer.Body.Close()
		if answer.StatusCode != 200 || withoutTimes(string(body)) != withoutTimes(want) || !strings.HasPrefix(url, scheme+":") {
			t.Errorf("%s: status %d, got\n%swant\n%s", url, answer.StatusCode, body, want)
		}
		if scheme == "https" {
			if _, err := client(x509.NewCertPool()).Get(url + "healthz"); err == nil || !strings.Contains(err.Error(), "certificate") {
				t.Errorf("without trust: %v; want an error about the certificate", err)
			}
			if answer, err := client(nil).Get("http" + strings.TrimPrefix(url, "https") + "healthz"); err == nil && answer.StatusCode == 200 {
				t.Error("it answers in the clear too")
			}
		}
		stop()
	}
}

// What is wrong with the call, such as half a pair of a certificate and a key, and pairs that
// are none: one line that names the flags and says what is wrong, before anything listens.
func TestServeUsage(t *testing.T) {
	dir := t.TempDir()
	cert, key := selfSigned(t, dir)
	_, second := must.Get2(ed25519.GenerateKey(nil))
	other := privateKey(t, filepath.Join(dir, "other.key"), second)
	text := detecttest.WriteBytes(t, filepath.Join(dir, "text.key"), []byte("not a key\n"))
	missing := filepath.Join(dir, "missing.key")
	for _, test := range []struct {
		want string
		args []string
	}{
		{"there is no such", []string{"-model", "nothing.xml"}},
		{"-timeout", []string{"-timeout", "0s"}},
		{"-grace", []string{"-grace", "-1s"}},
		{"want a name without", []string{"-allow-host", "http://a"}},
		{"-max-bytes", []string{"-max-bytes", "many"}},
		{"-max-pixels", []string{"-max-pixels", "0"}},
		{"no-keys.txt", []string{"-api-keys", "no-keys.txt"}},
		{"there is no key", []string{"-api-keys", os.DevNull}},
		{"Rate -1", []string{"-rate", "-1"}},
		{"Workers -1", []string{"-workers", "-1"}},
		{"two models", []string{"-model", detecttest.Drawn + "," + detecttest.Drawn}},
		{"99999", []string{"-addr", "127.0.0.1:99999"}},
		{cert + " ... -key is missing", []string{"-cert", cert}},
		{key + " ... -cert is missing", []string{"-key", key}},
		{cert + " ... -key is missing", []string{"-cert", cert, "-key", ""}},
		{missing + " ... no such file", []string{"-cert", cert, "-key", missing}},
		{missing + " ... no such file", []string{"-cert", missing, "-key", key}},
		{text + " ... PEM", []string{"-cert", cert, "-key", text}},
		{other + " ... does not match", []string{"-cert", cert, "-key", other}},
	} {
		fails(t, statusUsage, test.want, append([]string{"serve", "-addr", "127.0.0.1:0"}, test.args...)...)
	}
}

// The page as files.
func TestServeWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "page")
	clitest.Contains(t, quietly(t, "serve", "-write", dir), dir)
	index, err := os.ReadFile(filepath.Join(dir, "models", "index.json"))
	if err != nil || !strings.Contains(string(index), "face-fast") {
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

// selfSigned writes a certificate for this machine and its key, and returns their files.
func selfSigned(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})
	return detecttest.WriteBytes(t, filepath.Join(dir, "server.pem"), public), privateKey(t, filepath.Join(dir, "server.key"), pair.PrivateKey)
}

// privateKey writes a key, and returns its file.
func privateKey(t *testing.T, path string, key any) string {
	t.Helper()
	secret := must.Get(x509.MarshalPKCS8PrivateKey(key))
	return detecttest.WriteBytes(t, path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

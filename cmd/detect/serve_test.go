package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
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
// detect -format json prints, and ends in good order.
func TestServe(t *testing.T) {
	url, stop := served(t)
	data := must.Get(os.ReadFile(detecttest.Group))
	answer := must.Get(http.Post(url+"detect?min-size=60&name="+detecttest.Group, "image/png", bytes.NewReader(data)))
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	want := works(t, "-model", detecttest.Drawn, "-format", "json", "-min-size", "60", detecttest.Group)
	if answer.StatusCode != 200 || withoutTimes(string(body)) != withoutTimes(want) {
		t.Errorf("status %d, got\n%swant\n%s", answer.StatusCode, body, want)
	}
	stop()
}

func TestServeUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"takes flags only":    {"picture.png"},
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
		fails(t, statusUsage, want, append([]string{"serve"}, args...)...)
	}
}

// The page as files.
func TestServeWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "page")
	clitest.Contains(t, quietly(t, "serve", "-write", dir), dir)
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

// selfSigned writes a certificate for this machine and its key, as people make
// them with openssl req -x509, and returns their files.
func selfSigned(t *testing.T, dir, name string) (cert, key string) {
	t.Helper()
	private := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, IsCA: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	public := must.Get(x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private))
	secret := must.Get(x509.MarshalPKCS8PrivateKey(private))
	cert = detecttest.WriteBytes(t, filepath.Join(dir, name+".pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public}))
	key = detecttest.WriteBytes(t, filepath.Join(dir, name+".key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return cert, key
}

// With a certificate and its key the server talks https, shows that very
// certificate, answers what it answers over http, and nothing to those who
// talk in the clear.
func TestServeTLS(t *testing.T) {
	cert, key := selfSigned(t, t.TempDir(), "server")
	url, stop := served(t, "-cert", cert, "-key", key)
	if !strings.HasPrefix(url, "https:") {
		t.Fatalf("it is at %s", url)
	}

	trusted := x509.NewCertPool()
	public := must.Get(os.ReadFile(cert))
	if !trusted.AppendCertsFromPEM(public) {
		t.Fatal("the test's own certificate is none")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 2 * time.Minute}
	body := func(answer *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK || answer.TLS == nil {
			t.Fatalf("%s: %v, tls %v, %v\n%s", answer.Request.URL, answer.Status, answer.TLS != nil, err, text)
		}
		return string(text)
	}
	if got := body(client.Get(url + "healthz")); !strings.Contains(got, "ok") {
		t.Errorf("healthz says %q", got)
	}
	if got := body(client.Get(url)); !strings.Contains(got, "<title>") {
		t.Errorf("the page is %.200q", got)
	}
	data := must.Get(os.ReadFile(detecttest.Group))
	want := works(t, "-model", detecttest.Drawn, "-format", "json", "-min-size", "60", detecttest.Group)
	if len(parse(t, want)[0].Faces) == 0 {
		t.Fatal("there is nothing to find, so that this compares nothing")
	}
	got := body(client.Post(url+"detect?min-size=60&name="+detecttest.Group, "image/png", bytes.NewReader(data)))
	if withoutTimes(got) != withoutTimes(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	// Who does not trust the certificate learns of it from the handshake, and
	// who talks in the clear gets nothing that the page or the detector says.
	strict := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}, Timeout: 2 * time.Minute}
	if answer, err := strict.Get(url + "healthz"); err == nil {
		answer.Body.Close()
		t.Error("a certificate that nobody trusts was taken")
	} else if !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without trust: %v; want an error about the certificate", err)
	}
	clear := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 2 * time.Minute}
	if answer, err := clear.Get("http" + strings.TrimPrefix(url, "https") + "healthz"); err == nil {
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			t.Error("it answers in the clear too")
		}
	}

	transport.CloseIdleConnections()
	stop()
}

// Half a pair, and pairs that are none: one line that names the flags and says
// what is wrong, before anything listens.
func TestServeTLSUsage(t *testing.T) {
	dir := t.TempDir()
	cert, key := selfSigned(t, dir, "server")
	_, other := selfSigned(t, dir, "other")
	whole := must.Get(os.ReadFile(key))
	text := detecttest.WriteBytes(t, filepath.Join(dir, "text.key"), []byte("not a key\n"))
	empty := detecttest.WriteBytes(t, filepath.Join(dir, "empty.key"), nil)
	// Its frame is whole, what is in it is not.
	inside := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("not a key")})
	damaged := detecttest.WriteBytes(t, filepath.Join(dir, "damaged.key"), inside)
	half := detecttest.WriteBytes(t, filepath.Join(dir, "half.key"), whole[:len(whole)/2])
	missing := filepath.Join(dir, "missing.key")
	for _, test := range []struct {
		args      []string
		file, say string
	}{
		{[]string{"-cert", cert}, cert, "-key is missing"},
		{[]string{"-key", key}, key, "-cert is missing"},
		{[]string{"-cert", cert, "-key", ""}, cert, "-key is missing"},
		{[]string{"-cert", cert, "-key", missing}, missing, "no such file"},
		{[]string{"-cert", missing, "-key", key}, missing, "no such file"},
		{[]string{"-cert", cert, "-key", dir}, dir, "directory"},
		{[]string{"-cert", cert, "-key", text}, text, "PEM"},
		{[]string{"-cert", cert, "-key", empty}, empty, "PEM"},
		{[]string{"-cert", cert, "-key", half}, half, "PEM"},
		{[]string{"-cert", cert, "-key", damaged}, damaged, "parse private key"},
		{[]string{"-cert", cert, "-key", other}, other, "does not match"},
		{[]string{"-cert", key, "-key", cert}, cert, "switched"},
	} {
		fails(t, statusUsage, test.file+" ... "+test.say, append([]string{"serve", "-addr", "127.0.0.1:0", "-model", detecttest.Drawn}, test.args...)...)
	}
}

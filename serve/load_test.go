package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

var loadTime = flag.Duration("load", 1500*time.Millisecond, "how long TestLoad keeps the server busy")

// More clients than workers, among them broken pictures, slow senders, and
// some that leave: no status that is not documented, every good request
// answered and answered rightly, and memory that does not grow.
func TestLoad(t *testing.T) {
	s := newServer(t, &Options{Workers: 2, Waiting: 6, MaxBytes: 1 << 20, MaxPixels: 1e6, BodyTime: time.Second, WorkTime: 10 * time.Second})
	address, end := listen(t, s)

	img := must.Get(png.Decode(bytes.NewReader(group(t))))
	part := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(part, part.Rect, img, image.Pt(0, 150), draw.Src)
	good := [][]byte{picturetest.PNG(part), picturetest.JPEG(part, 95)}
	var want [2]int
	for i, data := range good {
		var list []jsonout.Picture
		if err := json.Unmarshal(post(s, "?min-size=40", data).Body.Bytes(), &list); err != nil || len(list[0].Faces) == 0 {
			t.Fatal(err, list)
		}
		want[i] = len(list[0].Faces)
	}
	broken := [][]byte{nil, []byte("GIF89a"), good[0][:1000], good[1][:2000], huge(), bytes.Repeat([]byte{0xff, 0xd8, 0xff}, 1000), make([]byte, 1<<20+1)}

	ctx, cancel := context.WithTimeout(context.Background(), *loadTime)
	defer cancel()
	documented := []int{200, 400, 408, 413, 415, 422, 503}
	var lock sync.Mutex
	statuses := map[int]int{} // how often each came
	seen := func(status int) {
		lock.Lock()
		defer lock.Unlock()
		statuses[status]++
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 30 * time.Second}
	send := func(body []byte) (int, []byte, error) {
		r, err := client.Post("http://"+address+"/detect?min-size=40", "", bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		seen(r.StatusCode)
		if r.StatusCode == 503 && r.Header.Get("Retry-After") == "" {
			return 0, nil, fmt.Errorf("503 without Retry-After: %s", text)
		}
		return r.StatusCode, text, err
	}
	var answered, retried atomic.Int64
	var clients sync.WaitGroup
	for i := range 12 { // good ones, who come again when they are told to
		clients.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for ctx.Err() == nil {
				which := random.IntN(len(good))
				for {
					status, text, err := send(good[which])
					if status == 503 && err == nil {
						retried.Add(1)
						time.Sleep(time.Duration(10+random.IntN(40)) * time.Millisecond)
						continue
					}
					var list []jsonout.Picture
					if status != 200 || err != nil || json.Unmarshal(text, &list) != nil || len(list) != 1 || len(list[0].Faces) != want[which] {
						t.Errorf("a good request got %d, %v: %.200s", status, err, text)
						return
					}
					answered.Add(1)
					break
				}
			}
		})
	}
	for i := range 4 { // broken pictures
		clients.Go(func() {
			random := rand.New(rand.NewPCG(2, uint64(i)))
			for ctx.Err() == nil {
				which := random.IntN(len(broken))
				status, text, err := send(broken[which])
				// Whoever sends too much may find the connection closed before
				// all is sent.
				if len(broken[which]) > 1<<20 && err != nil {
					continue
				}
				if err != nil || status == 200 || !slices.Contains(documented, status) {
					t.Errorf("broken picture %d got %d, %v: %.200s", which, status, err, text)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	for range 4 { // slow ones, and ones that leave, by themselves
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(c, "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", len(good[0]))
				told := make(chan struct{})
				go func() { // whatever it is told, if it has not left
					defer close(told)
					if r, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
						seen(r.StatusCode)
						r.Body.Close()
					}
				}()
				sent := 0
				for ctx.Err() == nil && sent < len(good[0]) {
					k := min(200, len(good[0])-sent)
					if n%2 == 1 && sent > 1000 || n%4 == 2 { // leaves, some with all sent
						if n%4 == 2 {
							_, _ = c.Write(good[0])
						}
						break
					}
					if _, err := c.Write(good[0][sent : sent+k]); err != nil {
						break // it has been told 408, and is not listened to any more
					}
					sent += k
					time.Sleep(20 * time.Millisecond)
				}
				c.Close()
				<-told
			}
		})
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC() // pools are emptied by the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	// Memory when all is warm, and in the end.
	time.Sleep(*loadTime / 3)
	warm := heap()
	<-ctx.Done()
	clients.Wait()
	late := heap()
	client.CloseIdleConnections()
	for status, n := range statuses {
		t.Logf("status %d: %d times", status, n)
		if !slices.Contains(documented, status) {
			t.Errorf("status %d is not documented", status)
		}
	}
	t.Logf("%d good requests answered in %v, %d times told to come again; heap %d kB warm, %d kB in the end",
		answered.Load(), *loadTime, retried.Load(), warm>>10, late>>10)
	if statuses[http.StatusRequestTimeout] == 0 {
		t.Error("no slow sender was told so")
	}
	if answered.Load() == 0 {
		t.Error("no good request was answered")
	}
	if late > warm+16<<20 {
		t.Errorf("the heap grew from %d to %d bytes", warm, late)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if held, waiting := s.held.Load(), s.waiting.Load(); held != 0 || waiting != 0 || len(s.work) != 0 {
		t.Errorf("in the end %d bytes are held, %d requests waiting, %d workers busy", held, waiting, len(s.work))
	}
}

package serve

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// metrics are what GET /metrics tells, in Prometheus' text format.
type metrics struct {
	server   *Server
	inFlight atomic.Int64
	evicted  atomic.Int64 // connections

	mu       sync.Mutex
	requests map[answered]int64
	answer   histogram // of POST /detect, all of it
	search   histogram // the detector alone
	pixels   int64
	faces    int64
}

type answered struct {
	route  string
	status int
}

// A histogram counts durations.
type histogram struct {
	counts [len(bounds) + 1]int64
	sum    float64
	n      int64
}

// bounds are upper ones, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

func (h *histogram) add(d time.Duration) {
	v := d.Seconds()
	i, _ := slices.BinarySearch(bounds[:], v)
	h.counts[i]++
	h.sum += v
	h.n++
}

func (m *metrics) init(s *Server) {
	m.server = s
	m.requests = map[answered]int64{}
}

func (m *metrics) request(route string, status int, took time.Duration) {
	if status == 0 {
		status = http.StatusOK
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[answered{route, status}]++
	if route == "detect" {
		m.answer.add(took)
	}
}

func (m *metrics) picture(pixels, faces int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.search.add(took)
	m.pixels += int64(pixels)
	m.faces += int64(faces)
}

func (m *metrics) serve(w http.ResponseWriter, _ *http.Request) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var b bytes.Buffer
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", name, help, name, kind, name, value)
	}
	m.mu.Lock()
	b.WriteString("# HELP haarlem_requests_total Requests answered, by route and status; 499 where the client left.\n# TYPE haarlem_requests_total counter\n")
	for _, k := range slices.SortedFunc(maps.Keys(m.requests), func(x, y answered) int {
		if x.route != y.route {
			return strings.Compare(x.route, y.route)
		}
		return x.status - y.status
	}) {
		fmt.Fprintf(&b, "haarlem_requests_total{route=%q,status=\"%d\"} %d\n", k.route, k.status, m.requests[k])
	}
	m.answer.write(&b, "haarlem_detect_request_seconds", "Time from a request for a detection to its answer.")
	m.search.write(&b, "haarlem_detect_seconds", "Time of the detector alone.")
	one("haarlem_pictures_pixels_total", "counter", "Pixels of the pictures that were searched.", m.pixels)
	one("haarlem_faces_total", "counter", "Objects that were found.", m.faces)
	m.mu.Unlock()
	one("haarlem_requests_in_flight", "gauge", "Requests that are being answered.", m.inFlight.Load())
	one("haarlem_workers", "gauge", "Pictures that can be searched at one time.", cap(m.server.work))
	one("haarlem_workers_busy", "gauge", "Pictures that are being decoded or searched.", len(m.server.work))
	one("haarlem_requests_waiting", "gauge", "Requests that wait for a worker.", m.server.waiting.Load())
	one("haarlem_body_bytes", "gauge", "Bytes of requests' bodies in memory.", m.server.held.Load())
	one("haarlem_connections_evicted_total", "counter", "Connections closed before their time to make room for new ones.", m.evicted.Load())
	one("go_goroutines", "gauge", "Goroutines that exist.", runtime.NumGoroutine())
	one("go_memstats_heap_alloc_bytes", "gauge", "Heap bytes in use or not yet swept.", memory.HeapAlloc)
	one("go_memstats_sys_bytes", "gauge", "Bytes taken from the system.", memory.Sys)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b.Bytes()) // the client may be gone
}

func (h *histogram) write(b *bytes.Buffer, name, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s histogram\n", name, help, name)
	sum := int64(0)
	for i, bound := range bounds {
		sum += h.counts[i]
		fmt.Fprintf(b, "%s_bucket{le=\"%g\"} %d\n", name, bound, sum)
	}
	fmt.Fprintf(b, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %g\n%s_count %d\n", name, h.n, name, h.sum, name, h.n)
}

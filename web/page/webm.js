// A video without sound as a WebM file (Matroska), from what a VideoEncoder gives.

// An element is its identifier, its length in eight bytes, and its content.
function element(id, content) {
  const body = typeof content === "number" ? number(content) : typeof content === "string" ? new TextEncoder().encode(content) : content;
  const head = [...bytesOf(id), 1, ...lengthOf(Array.isArray(body) ? size(body) : body.length)];
  return [new Uint8Array(head), ...(Array.isArray(body) ? body : [body])];
}

const size = (parts) => parts.reduce((n, p) => n + p.length, 0);
const join = (...elements) => {
  const parts = elements.flat();
  const out = new Uint8Array(size(parts));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
};

function bytesOf(id) {
  const out = [];
  for (; id; id = Math.floor(id / 256)) out.unshift(id & 255);
  return out;
}

// lengthOf is seven bytes of a length.
function lengthOf(n) {
  const out = [];
  for (let i = 0; i < 7; i++) {
    out.unshift(n % 256);
    n = Math.floor(n / 256);
  }
  return out;
}

function number(n) {
  const out = bytesOf(n);
  return new Uint8Array(out.length ? out : [0]);
}

function double(v) {
  const out = new DataView(new ArrayBuffer(8));
  out.setFloat64(0, v);
  return new Uint8Array(out.buffer);
}

// webm takes chunks {data: Uint8Array, milliseconds, key}, in order, and returns a
// Blob. Each key frame begins a cluster.
export function webm(width, height, codec, chunks, milliseconds) {
  const head = join(element(0x1a45dfa3, join(
    element(0x4286, 1), element(0x42f7, 1), element(0x42f2, 4), element(0x42f3, 8),
    element(0x4282, "webm"), element(0x4287, 2), element(0x4285, 2),
  )));
  const info = element(0x1549a966, join(
    element(0x2ad7b1, 1000000), element(0x4489, double(milliseconds)), element(0x4d80, "haarlem"), element(0x5741, "haarlem"),
  ));
  const tracks = element(0x1654ae6b, join(element(0xae, join(
    element(0xd7, 1), element(0x73c5, 1), element(0x83, 1), element(0x86, codec),
    element(0xe0, join(element(0xb0, width), element(0xba, height))),
  ))));
  const clusters = [];
  for (let i = 0; i < chunks.length;) {
    const start = Math.round(chunks[i].milliseconds);
    const blocks = [element(0xe7, start)];
    do {
      const at = Math.round(chunks[i].milliseconds) - start;
      blocks.push(element(0xa3, join([new Uint8Array([0x81, (at >> 8) & 255, at & 255, chunks[i].key ? 0x80 : 0]), chunks[i].data])));
      i++;
    } while (i < chunks.length && !chunks[i].key && chunks[i].milliseconds - start < 30000);
    clusters.push(...element(0x1f43b675, join(...blocks)));
  }
  const segment = element(0x18538067, [...info, ...tracks, ...clusters]);
  return new Blob([head, ...segment], { type: "video/webm" });
}

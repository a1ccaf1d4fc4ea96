// The worker runs the detector, which is Go (web/detector), beside the page.
//
// It is sent
//   {type: "load", key, bytes}                            a model's file
//   {type: "points", key, bytes}                          the landmark model's
//   {type: "detect", key, model, pixels, width, height, options}
// and answers with the same key:
//   {type: "ready"}                                       once, when it can work
//   {type: "answer", key, result}                         or result.error
//   {type: "failed", error}                               it cannot go on at all
"use strict";

importScripts("wasm_exec.js");

// unpacked returns the bytes of a gzip file, also from a server that has
// unpacked it on the way.
async function unpacked(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  const data = await response.arrayBuffer();
  const head = new Uint8Array(data, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return data;
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function begin() {
  const [detector, lanes] = await Promise.all([unpacked("detector.wasm.gz"), unpacked("lanes.wasm.gz")]);
  // The innermost loops are a module of their own, for browsers that know vectors;
  // it works on the detector's memory. Others make do with what Go compiled.
  const vectors = WebAssembly.validate(lanes);
  let loops;
  const go = new Go();
  go.importObject.haarlem = new Proxy({}, { get(_, name) {
    let f = name === "ready" ? () => (vectors ? 1 : 0) : null;
    return (...a) => (f ??= loops[name])(...a);
  } });
  const { instance } = await WebAssembly.instantiate(detector, go.importObject);
  if (vectors) loops = (await WebAssembly.instantiate(lanes, { go: { mem: instance.exports.mem } })).instance.exports;
  go.run(instance).then(
    () => postMessage({ type: "failed", error: "the detector ended" }),
    (err) => postMessage({ type: "failed", error: String(err) }),
  );
  postMessage({ type: "ready" });
}

const begun = begin();
begun.catch((err) => postMessage({ type: "failed", error: String(err) }));

self.onmessage = async ({ data }) => {
  await begun;
  if (data.type === "load") {
    postMessage({ type: "answer", key: data.key, result: haarlem.load(new Uint8Array(data.bytes)) });
    return;
  }
  if (data.type === "points") {
    postMessage({ type: "answer", key: data.key, result: haarlem.loadPoints(new Uint8Array(data.bytes)) });
    return;
  }
  const result = haarlem.detect(data.model, new Uint8Array(data.pixels), data.width, data.height, data.options);
  postMessage({ type: "answer", key: data.key, result });
};

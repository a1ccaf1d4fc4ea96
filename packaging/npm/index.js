// The detector over the WebAssembly of Haarlem's page, for Node and browsers.
import "./wasm_exec.js";

// read returns the bytes of a file of the package. Bundlers for browsers shall not see Node's module.
async function read(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol === "file:") {
    const files = "node:fs/promises";
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)).readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

async function unpacked(data) {
  const bytes = new Uint8Array(data);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes; // the server has unpacked it
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function start() {
  const [detector, lanes] = await Promise.all([
    read("./detector.wasm.gz").then(unpacked),
    read("./lanes.wasm.gz").then(unpacked),
  ]);
  // The innermost loops are a module of their own, where there are vectors.
  const vectors = WebAssembly.validate(lanes);
  let loops;
  const go = new Go();
  go.importObject.haarlem = new Proxy({}, { get(_, name) {
    let f = name === "ready" ? () => (vectors ? 1 : 0) : null;
    return (...a) => (f ??= loops[name])(...a);
  } });
  const { instance } = await WebAssembly.instantiate(detector, go.importObject);
  if (vectors) loops = (await WebAssembly.instantiate(lanes, { go: { mem: instance.exports.mem } })).instance.exports;
  go.run(instance); // which ends never
  const program = globalThis.haarlem;
  delete globalThis.haarlem;
  program.loaded = new Map(); // built-in models that were read
  return program;
}

function checked(result) {
  if (result.error) throw new Error(`haarlem: ${result.error}`);
  return result;
}

let program, points, tracks = 0;

export const models = async () => JSON.parse(new TextDecoder().decode(await read("./models/index.json"))).map((m) => m.name);

async function load(program, model) {
  if (typeof model !== "string") return checked(program.load(new Uint8Array(model.buffer ?? model, model.byteOffset ?? 0, model.byteLength)));
  if (!(await models()).includes(model)) throw new Error(`haarlem: there is no model ${model}; there are: ${(await models()).join(", ")}`);
  if (!program.loaded.has(model)) program.loaded.set(model, checked(program.load(new Uint8Array(await read(`./models/${model}.cascade`)))));
  return program.loaded.get(model);
}

export class Detector {
  #program;
  #model;
  #options;
  #source = ++tracks;

  static async create(options = {}) {
    const d = new Detector();
    d.#program = await (program ??= start());
    d.#model = await load(d.#program, options.model ?? "face");
    if (options.points) await (points ??= read("./models/face5.points").then((b) => checked(d.#program.loadPoints(new Uint8Array(b)))));
    d.#options = options;
    return d;
  }

  get info() {
    const { id, ...info } = this.#model;
    return info;
  }

  detect(image, options = {}) {
    return this.#find(image, options);
  }

  track(image, at, options = {}) {
    return this.#find(image, options, { source: this.#source, at });
  }

  #find({ data, width, height }, options, frame) {
    const o = { ...this.#options, ...options };
    const r = checked(this.#program.detect(this.#model.id, data, width, height, {
      min: o.minSize ?? 0, scale: o.scale ?? 0, score: o.minScore ?? this.#model.minScore, neighbors: o.minNeighbors ?? 0, points: !!o.points, bounds: o.bounds, frame,
    }));
    const each = r.found ? r.points.length / r.found : 0;
    return Array.from({ length: r.faces.length / 6 }, (_, i) => {
      const [x, y, width, height, score, neighbors] = r.faces.slice(6 * i, 6 * i + 6);
      const d = { x, y, width, height, score, neighbors };
      if (each && i < r.found) d.points = Array.from({ length: each / 2 }, (_, k) => ({ x: r.points[each * i + 2 * k], y: r.points[each * i + 2 * k + 1] }));
      if (frame) {
        const [number, tx, ty, tw, th] = r.tracks.slice(5 * i, 5 * i + 5);
        Object.assign(d, { track: number, shown: { x: tx, y: ty, width: tw, height: th }, predicted: i >= r.found });
      }
      return d;
    });
  }
}

// OpenCV.js's names. See docs/npm.md for what differs.
import { Detector } from "./index.js";

const stock = ["default", "alt", "alt2", "alt_tree"].map((n) => `haarcascade_frontalface_${n}.xml`);

export class Size {
  constructor(width = 0, height = 0) {
    Object.assign(this, { width, height });
  }
}

export class RectVector {
  #all = [];
  size() {
    return this.#all.length;
  }
  get(i) {
    return this.#all[i];
  }
  push_back(r) {
    this.#all.push(r);
  }
  resize(n) {
    this.#all.length = n;
  }
  delete() {}
}

// grey makes a picture of what OpenCV's cvtColor gives, from ImageData or a Mat.
function grey(image) {
  const width = image.width ?? image.cols, height = image.height ?? image.rows, channels = image.channels?.() ?? 4;
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const k = channels * i;
    const [r, g, b] = channels < 3 ? Array(3).fill(image.data[k]) : [image.data[k], image.data[k + 1], image.data[k + 2]];
    data.fill((4899 * r + 9617 * g + 1868 * b + 8192) >> 14, 4 * i, 4 * i + 3);
    data[4 * i + 3] = 255;
  }
  return { data, width, height };
}

/** load reads cascades, since OpenCV.js's load waits for nothing: {name: bytes}. */
export async function load(files = {}) {
  const own = await Detector.create({ model: "frontalface-opencv" });
  const loaded = new Map(stock.map((name) => [name, own]));
  for (const [name, model] of Object.entries(files)) loaded.set(name, await Detector.create({ model }));

  class CascadeClassifier {
    #detector;
    load(path) {
      this.#detector = loaded.get(path) ?? loaded.get(path.split("/").pop());
      return !this.empty();
    }
    empty() {
      return !this.#detector;
    }
    detectMultiScale(image, objects, scaleFactor = 1.1, minNeighbors = 3, flags = 0, minSize = new Size(), maxSize = new Size()) {
      if (this.empty()) throw new Error("detectMultiScale: no cascade is loaded");
      if (!(scaleFactor > 1) || !(minNeighbors > 0)) throw new Error("detectMultiScale: want a scaleFactor above 1 and minNeighbors above 0");
      if (maxSize.width || maxSize.height) throw new Error("detectMultiScale: maxSize is not supported");
      if (minSize.width !== minSize.height) throw new Error("detectMultiScale: want a square minSize");
      objects.resize(0);
      for (const { x, y, width, height } of this.#detector.detect(grey(image), { scale: scaleFactor, minNeighbors, minSize: minSize.width })) objects.push_back({ x, y, width, height });
    }
    delete() {}
  }
  return { CascadeClassifier, RectVector, Size };
}

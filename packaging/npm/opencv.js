// OpenCV.js's names. See docs/npm.md for what differs.
import { Detector } from "./index.js";
import stock from "./stock.js"; // the model under each of OpenCV's names

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
  const from = image.data, [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let i = 0, k = 0; i < data.length; i += 4, k += channels) {
    data[i] = data[i + 1] = data[i + 2] = (4899 * from[k] + 9617 * from[k + green] + 1868 * from[k + blue] + 8192) >> 14;
    data[i + 3] = 255;
  }
  return { data, width, height };
}

/** load reads cascades, since OpenCV.js's load waits for nothing: {name: bytes}. */
export async function load(files = {}) {
  const loaded = new Map();
  for (const [name, model] of Object.entries(stock)) loaded.set(name, await Detector.create({ model }));
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
      if (!(scaleFactor > 1)) throw new Error("detectMultiScale: want a scaleFactor above 1");
      // A negative largest size is one that no size is within; so is 1.
      const { width, height } = maxSize, largest = width && height ? [Math.max(width, 1), Math.max(height, 1)] : [0, 0];
      const bounds = [Math.max(minSize.width, 0), Math.max(minSize.height, 0), ...largest];
      // With a larger factor there is no second level in any picture.
      const found = this.#detector.detect(grey(image), { scale: Math.min(scaleFactor, 1024), minNeighbors: Math.max(minNeighbors, 0), bounds });
      objects.resize(0);
      for (const { x, y, width, height } of found) objects.push_back({ x, y, width, height });
    }
    delete() {}
  }
  return { CascadeClassifier, RectVector, Size };
}

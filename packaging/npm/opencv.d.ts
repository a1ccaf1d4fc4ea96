import type { Rectangle } from "./index.js";

export class Size {
  constructor(width?: number, height?: number);
  width: number;
  height: number;
}

export class RectVector {
  size(): number;
  get(i: number): Rectangle;
  push_back(r: Rectangle): void;
  resize(n: number): void;
  delete(): void;
}

/** ImageData, or an 8-bit Mat of 1, 3 (RGB) or 4 channels. */
export type Image =
  | { data: Uint8Array | Uint8ClampedArray; width: number; height: number }
  | { data: Uint8Array; cols: number; rows: number; channels(): number };

export interface CascadeClassifier {
  load(path: string): boolean;
  empty(): boolean;
  detectMultiScale(image: Image, objects: RectVector, scaleFactor?: number, minNeighbors?: number, flags?: number, minSize?: Size, maxSize?: Size): void;
  delete(): void;
}

export interface OpenCV {
  CascadeClassifier: new () => CascadeClassifier;
  RectVector: typeof RectVector;
  Size: typeof Size;
}

/** Reads cascades for CascadeClassifier.load: those given, and one under OpenCV's names haarcascade_frontalface_*.xml. */
export function load(files?: Record<string, ArrayBuffer | Uint8Array>): Promise<OpenCV>;

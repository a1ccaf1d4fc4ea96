/** A picture as canvases give it: red, green, blue, alpha. ImageData is one. */
export interface Picture {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Detection extends Rectangle {
  score: number;
  neighbors: number;
  /** Eyes, nose and corners of the mouth, if they are wanted. */
  points?: { x: number; y: number }[];
}

export interface Tracked extends Detection {
  /** The number of its track; 0 while it has none. */
  track: number;
  /** The box of the track, which is steadier. */
  shown: Rectangle;
  /** It was not found in this frame; this is where it should be. */
  predicted: boolean;
}

export interface SearchOptions {
  /** The width of the smallest object, in pixels. */
  minSize?: number;
  /** From one size to the next, such as 1.1. */
  scale?: number;
  minScore?: number;
  minNeighbors?: number;
  points?: boolean;
}

export interface Info {
  name: string;
  object: string;
  objects: string;
  width: number;
  height: number;
  /** The factor between two levels of the image pyramid. */
  scale: number;
  calibrated: boolean;
  minScore: number;
  weak: number;
  features: number;
}

export class Detector {
  private constructor();
  /** model is the name of a built-in one (the default is "face"), or the bytes of a file, ours or OpenCV's. */
  static create(options?: SearchOptions & { model?: string | ArrayBuffer | Uint8Array }): Promise<Detector>;
  readonly info: Info;
  /** What is found in a picture, the best first. */
  detect(picture: Picture, options?: SearchOptions): Detection[];
  /** The same for the next frame of a video. at is its time in milliseconds. */
  track(picture: Picture, at: number, options?: SearchOptions): Tracked[];
}

/** The names of the built-in models. */
export function models(): Promise<string[]>;

// A whole video with unrecognisable faces, made in the browser: decoded by a video
// element, encoded by WebCodecs, and put into a WebM file. Its sound is not copied.

import { pixelate } from "./pixelate.js";
import { webm } from "./webm.js";

export const canBlurVideos = () => "VideoEncoder" in globalThis && "requestVideoFrameCallback" in HTMLVideoElement.prototype;

// Faces are hidden this long before and after they were found, in seconds.
const around = 0.5;

// blurVideo returns a Blob. detect takes ImageData and returns faces; tell is called
// with the share that is done; signal ends it early, by an AbortError.
export async function blurVideo(url, { detect, tell, signal }) {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  video.src = url;
  try {
    await once(video, "loadeddata", signal);
    if (!Number.isFinite(video.duration)) { // a recording that does not say it: the end does
      await seek(video, 1e7, signal);
      await seek(video, 0, signal);
    }
    const period = await framePeriod(video, signal);
    const width = video.videoWidth & ~1, height = video.videoHeight & ~1; // what encoders take
    const frames = Math.max(1, Math.round(video.duration / period));
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const show = async (i) => {
      signal.throwIfAborted();
      await seek(video, Math.min((i + 0.5) * period, video.duration - 0.001), signal);
      pen.drawImage(video, 0, 0);
      return pen.getImageData(0, 0, width, height);
    };
    // All faces first, since one is hidden before it is found, too.
    const found = [];
    for (let i = 0; i < frames; i++) {
      found.push(await detect(await show(i)));
      tell(i / frames / 2);
    }
    const chunks = [];
    let failed = null;
    const encoder = new VideoEncoder({
      output(chunk) {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        chunks.push({ data, milliseconds: chunk.timestamp / 1000, key: chunk.type === "key" });
      },
      error(err) { failed = err; },
    });
    encoder.configure({ codec: "vp8", width, height, bitrate: Math.max(1e6, width * height * 4), framerate: 1 / period });
    const held = Math.ceil(around / period);
    for (let i = 0; i < frames; i++) {
      const image = await show(i);
      for (let k = Math.max(0, i - held); k <= Math.min(frames - 1, i + held); k++) {
        // What was found in other frames may have moved since.
        const grow = 1 + 0.6 * Math.abs(k - i) / held;
        for (const f of found[k]) {
          pixelate(image, {
            x: f.x - (grow - 1) / 2 * f.width, y: f.y - (grow - 1) / 2 * f.height, width: f.width * grow, height: f.height * grow,
          });
        }
      }
      pen.putImageData(image, 0, 0);
      const frame = new VideoFrame(canvas, { timestamp: Math.round(i * period * 1e6), duration: Math.round(period * 1e6) });
      encoder.encode(frame, { keyFrame: i % 100 === 0 });
      frame.close();
      while (encoder.encodeQueueSize > 8 && !failed) await new Promise((resolve) => setTimeout(resolve, 5));
      if (failed) throw failed;
      tell(0.5 + i / frames / 2);
    }
    await encoder.flush();
    encoder.close();
    return {
      blob: webm(width, height, "V_VP8", chunks, frames * period * 1000),
      frames, empty: found.filter((f) => f.length === 0).length,
    };
  } finally {
    video.removeAttribute("src");
    video.load();
  }
}

// framePeriod returns the time from frame to frame: the median of those that are
// played first.
async function framePeriod(video, signal) {
  const steps = [];
  let last = -1;
  await new Promise((resolve) => {
    const end = setTimeout(resolve, 3000);
    const next = (_, { mediaTime }) => {
      if (last >= 0 && mediaTime > last) steps.push(mediaTime - last);
      last = mediaTime;
      if (steps.length < 15 && !signal.aborted) video.requestVideoFrameCallback(next);
      else {
        clearTimeout(end);
        resolve();
      }
    };
    video.requestVideoFrameCallback(next);
    video.addEventListener("ended", resolve, { once: true });
    video.play().catch(resolve);
  });
  video.pause();
  signal.throwIfAborted();
  steps.sort((a, b) => a - b);
  // Frames that the browser left out make steps longer, and none shorter.
  return Math.min(0.2, Math.max(1 / 120, steps[Math.floor(steps.length / 4)] || 1 / 30));
}

async function seek(video, time, signal) {
  const done = once(video, "seeked", signal);
  video.currentTime = time;
  await done;
}

function once(target, event, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    target.addEventListener(event, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, { once: true });
    target.addEventListener("error", () => reject(new Error("this browser cannot decode the video")), { once: true });
    signal.addEventListener("abort", stop, { once: true });
  });
}

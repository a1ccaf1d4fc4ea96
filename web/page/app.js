// The page: where pictures come from, what is asked of the worker, and what is
// drawn. The detector itself runs in worker.js.

const $ = (id) => document.getElementById(id);
const stage = $("stage"), video = $("video"), still = $("still"), boxes = $("boxes");

// Live pictures are searched at this size at most, others at that one. Sizes
// that people set are in pixels of the picture.
const longestLive = 640, longestStill = 2048;

// ---- the worker ----

let worker, nextKey = 1, ready;
const waiting = new Map(); // key -> {resolve, reject}

function startWorker() {
  worker = new Worker("worker.js");
  ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.type === "ready") resolve();
      if (data.type === "failed") broken(data.error, reject);
      if (data.type === "answer") {
        const w = waiting.get(data.key);
        waiting.delete(data.key);
        if (data.result.error) w?.reject(new Error(data.result.error));
        else w?.resolve(data.result);
      }
    };
    worker.onerror = (e) => broken(e.message || "it could not be loaded", reject);
  });
  ready.catch(() => {});
}

function broken(why, reject) {
  reject(new Error(why));
  for (const w of waiting.values()) w.reject(new Error(why));
  waiting.clear();
  say(`The detector stopped: ${why}. Load the page again.`);
}

async function ask(message, transfer) {
  await ready;
  return new Promise((resolve, reject) => {
    const key = nextKey++;
    waiting.set(key, { resolve, reject });
    worker.postMessage({ ...message, key }, transfer);
  });
}

// ---- messages ----

function say(text) {
  $("message").textContent = text;
  $("message").hidden = !text;
}

// ---- models ----

const models = []; // {id, label, object, objects, width, height, calibrated, minScore, weak}
let model = null;

async function addModel(name, bytes) {
  const info = await ask({ type: "load", bytes }, [bytes]);
  const label = name || info.name || "model";
  const option = document.createElement("option");
  option.value = String(models.length);
  option.textContent = label;
  models.push({ ...info, label });
  if (models.length === 1) $("model").replaceChildren();
  $("model").append(option);
  $("model").disabled = false;
  return models.length - 1;
}

function chooseModel(i) {
  model = models[i];
  $("model").value = String(i);
  $("about").textContent =
    `Window ${model.width}×${model.height}, ${model.weak.toLocaleString("en")} weak learners. ` +
    (model.calibrated ? "Scores are probabilities." : "Scores are sums of margins.");
  for (const word of document.querySelectorAll(".objects")) word.textContent = model.objects;
  document.title = `Haarlem: ${model.objects} in your browser`;
  // A probability has another range than a sum of margins.
  const score = $("score");
  score.max = model.calibrated ? "1" : "200";
  score.step = model.calibrated ? "0.01" : "1";
  score.value = String(model.minScore);
  changed();
}

async function loadModels() {
  const index = await (await fetch("models/index.json")).json();
  for (const m of index) {
    const i = await addModel(m.name, await (await fetch(m.file)).arrayBuffer());
    if (i === 0) chooseModel(0);
  }
}

// ---- settings ----

const settings = () => ({
  min: Number($("min").value),
  score: Number($("score").value),
  scale: Number($("scale").value),
});

function showSettings() {
  const s = settings();
  $("min-value").textContent = `${s.min} pixels`;
  $("score-value").textContent = model?.calibrated === false ? String(s.score) : s.score.toFixed(2);
  const scale = source?.live && !paused ? inTime(s).scale : s.scale;
  $("scale-value").textContent = scale === s.scale ? s.scale.toFixed(2) : `${scale.toFixed(2)}, to keep up`;
}

function changed() {
  showSettings();
  if (source && !source.live) search();
  else if (paused) search();
}

$("scale").addEventListener("input", () => { stepChosen = true; });
for (const id of ["min", "score", "scale"]) $(id).addEventListener("input", changed);
$("model").addEventListener("change", () => chooseModel(Number($("model").value)));

// ---- what is looked at ----

// source is {element, width(), height(), live, mirrored, name, stop()} or null.
let source = null, paused = false, found = [];
let turn = 0; // of what was asked for last, which others make way for that take their time

function show(next) {
  source?.stop();
  source = next;
  paused = false;
  found = [];
  showSettings();
  draw();
  video.hidden = source?.element !== video;
  still.hidden = source?.element !== still;
  stage.classList.toggle("empty", !source);
  stage.classList.toggle("mirrored", Boolean(source?.mirrored));
  $("camera").textContent = source?.camera ? "Stop camera" : "Start camera";
  $("pause").disabled = !source?.live;
  $("pause").textContent = "Pause";
  $("blur").disabled = !source;
  $("cameras").hidden = !source?.camera || $("device").options.length < 2;
  for (const id of ["count", "milliseconds", "fps", "size"]) $(id).textContent = "–";
  times.length = 0;
  if (source) search();
}

function fit(element) {
  const w = element.videoWidth || element.width, h = element.videoHeight || element.height;
  if (w && h) stage.style.aspectRatio = `${w} / ${h}`;
}

async function openCamera(id) {
  say("");
  if (!navigator.mediaDevices?.getUserMedia) {
    say("Browsers give a camera only to pages that come over https or from this very machine (localhost). Pictures and videos work here all the same: open or drop one.");
    return;
  }
  const mine = ++turn;
  let stream;
  try {
    const size = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } };
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: id ? { ...size, deviceId: { exact: id } } : { ...size, facingMode: "user" },
    });
  } catch (err) {
    say(cameraProblem(err));
    return;
  }
  if (mine !== turn) {
    stream.getTracks().forEach((t) => t.stop());
    return;
  }
  const track = stream.getVideoTracks()[0];
  // A video or another camera that is on lets go of the element before this
  // one takes it: afterwards it would stop this one.
  source?.stop();
  source = null;
  video.src = "";
  video.removeAttribute("src");
  video.loop = false;
  video.controls = false;
  video.srcObject = stream;
  try {
    await video.play();
  } catch (err) {
    stream.getTracks().forEach((t) => t.stop());
    if (mine !== turn) return;
    video.srcObject = null;
    show(null);
    say(`The camera's picture cannot be shown: ${err.message}`);
    return;
  }
  if (mine !== turn) {
    stream.getTracks().forEach((t) => t.stop());
    return;
  }
  fit(video);
  const own = {
    element: video, camera: true, live: true, name: "camera",
    mirrored: track.getSettings().facingMode !== "environment",
    width: () => video.videoWidth, height: () => video.videoHeight,
    stop() {
      stream.getTracks().forEach((t) => t.stop());
      video.srcObject = null;
    },
  };
  track.addEventListener("ended", () => {
    if (source === own) {
      show(null);
      say("The camera has gone. Plug it in again, or open a picture.");
    }
  });
  show(own);
  await listCameras(track.getSettings().deviceId);
}

function cameraProblem(err) {
  switch (err.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "The camera was refused. To allow it, use the camera sign in the browser's address bar (or its settings for this site), and start the camera again. Pictures and videos work without it: open or drop one.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "There is no camera here. Open or drop a picture or a video instead.";
    case "NotReadableError":
    case "AbortError":
      return "The camera is there but gives no picture: perhaps another program has it. Close that, and start the camera again.";
  }
  return `The camera cannot be used: ${err.message}`;
}

async function listCameras(current) {
  const all = (await navigator.mediaDevices.enumerateDevices()).filter((d) => d.kind === "videoinput");
  $("device").replaceChildren(...all.map((d, i) => {
    const o = document.createElement("option");
    o.value = d.deviceId;
    o.textContent = d.label || `camera ${i + 1}`;
    o.selected = d.deviceId === current;
    return o;
  }));
  $("cameras").hidden = all.length < 2 || !source?.camera;
}

async function openFile(file) {
  say("");
  try {
    const head = new TextDecoder("latin1").decode(await file.slice(0, 64).arrayBuffer());
    if (/\.(xml|cascade)$/i.test(file.name) || head.startsWith("haarlem-cascade ") || /^\s*(\xef\xbb\xbf)?<\?xml/.test(head)) {
      chooseModel(await addModel(file.name, await file.arrayBuffer()));
    } else if (file.type.startsWith("video/")) {
      await openVideo(file);
    } else {
      await openPicture(file);
    }
  } catch (err) {
    say(`${file.name}: ${err.message}`);
  }
}

async function openPicture(file) {
  const mine = ++turn;
  let bitmap;
  try {
    bitmap = await createImageBitmap(file); // upright, as the camera noted
  } catch {
    throw new Error("this is not a picture, a video or a cascade that can be read here");
  }
  if (mine !== turn) {
    bitmap.close();
    return;
  }
  still.width = bitmap.width;
  still.height = bitmap.height;
  still.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  fit(still);
  show({
    element: still, live: false, name: file.name.replace(/\.[^.]*$/, ""),
    width: () => still.width, height: () => still.height, stop() {},
  });
}

async function openVideo(file) {
  const mine = ++turn;
  const url = URL.createObjectURL(file);
  const own = {
    element: video, live: true, name: file.name.replace(/\.[^.]*$/, ""),
    width: () => video.videoWidth, height: () => video.videoHeight,
    stop() {
      video.pause();
      video.removeAttribute("src");
      video.load();
      URL.revokeObjectURL(url);
    },
  };
  source?.stop();
  source = null;
  video.srcObject = null;
  video.loop = true;
  video.src = url;
  let plays = true;
  try {
    await video.play();
  } catch {
    plays = false; // perhaps because the next one has taken the element
  }
  if (mine !== turn) {
    if (video.src === url) own.stop();
    else URL.revokeObjectURL(url);
    return;
  }
  if (!plays) {
    own.stop();
    show(null);
    throw new Error("this browser cannot play this video");
  }
  fit(video);
  show(own);
}

// ---- searching ----

const scratch = document.createElement("canvas");
const pen = scratch.getContext("2d", { willReadFrequently: true });
let busy = false, again = false;
const times = []; // when searches of the last second ended

// grab returns the picture as it is now, no longer than that, as pixels.
function grab(longest) {
  const w = source.width(), h = source.height();
  const part = Math.min(1, longest / Math.max(w, h));
  const width = Math.max(1, Math.round(w * part)), height = Math.max(1, Math.round(h * part));
  if (scratch.width !== width || scratch.height !== height) {
    scratch.width = width;
    scratch.height = height;
  }
  pen.drawImage(source.element, 0, 0, width, height);
  return { data: pen.getImageData(0, 0, width, height).data, width, height, part };
}

// detect finds what is in a grabbed picture, in pixels of the source.
async function detect(picture, s = settings()) {
  const { faces, milliseconds } = await ask({
    type: "detect", model: model.id, pixels: picture.data.buffer, width: picture.width, height: picture.height,
    options: { min: Math.round(s.min * picture.part), scale: s.scale, score: s.score, neighbors: 0 },
  }, [picture.data.buffer]);
  const list = [];
  for (let i = 0; i < faces.length; i += 6) {
    const [x, y, width, height] = faces.slice(i, i + 4).map((v) => v / picture.part);
    list.push({ x, y, width, height, score: faces[i + 4], neighbors: faces[i + 5] });
  }
  return { list, milliseconds };
}

// Cameras give 25 or 30 pictures a second. Where searches take longer than that
// leaves time for, live pictures are searched in larger steps of size, unless
// people have chosen the step themselves.
const patience = 20, ease = 9, largeStep = 1.2; // the first two in milliseconds
let average = 0, late = false, stepChosen = false;

function inTime(s) {
  return late && !stepChosen ? { ...s, scale: Math.max(s.scale, largeStep) } : s;
}

function keepUp(milliseconds) {
  average = average ? 0.8 * average + 0.2 * milliseconds : milliseconds;
  const now = average > (late ? ease : patience);
  if (now === late) return;
  late = now;
  average = 0;
  showSettings();
}

// search looks at the newest picture, and at the next one as soon as it is
// done: pictures that come in between are left out, so that boxes are never
// late by more than one search.
async function search() {
  if (busy) {
    again = true;
    return;
  }
  const at = source;
  if (!at || !model || !at.width() || document.hidden) return;
  busy = true;
  again = false;
  // From now on, so that a picture that comes during this search is searched
  // when it ends, and not the one after it.
  if (at.live) follow();
  try {
    const picture = grab(at.live ? longestLive : longestStill);
    const moves = at.live && !paused;
    const { list, milliseconds } = await detect(picture, moves ? inTime(settings()) : settings());
    if (moves) keepUp(milliseconds);
    if (source === at) {
      found = list;
      draw();
      figures(milliseconds, picture);
    } else again = true;
  } catch (err) {
    say(`This picture cannot be searched: ${err.message}`);
    again = false;
    following = false;
    unfollow();
  }
  busy = false;
  if (again) search();
}

// follow searches when the source has another picture.
let unfollow = () => {}, following = false;

function follow() {
  if (following) return;
  following = true;
  const next = () => {
    following = false;
    if (!paused) search();
  };
  if (video.requestVideoFrameCallback && !video.paused) {
    const id = video.requestVideoFrameCallback(next);
    unfollow = () => video.cancelVideoFrameCallback(id);
  } else {
    const id = setTimeout(next, 30);
    unfollow = () => clearTimeout(id);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && source) search();
});

let told = 0;
function figures(milliseconds, picture) {
  const now = performance.now();
  times.push(now);
  while (times[0] < now - 1000) times.shift();
  const many = found.length;
  if (source.live && now - told < 250) return; // numbers that can be read
  told = now;
  $("count").textContent = String(many);
  $("milliseconds").textContent = `${milliseconds.toFixed(1)} ms`;
  $("fps").textContent = source.live && times.length > 1
    ? `${((times.length - 1) / (now - times[0]) * 1000).toFixed(0)} per second` : "–";
  $("size").textContent = `${picture.width}×${picture.height}`;
  const words = many === 0 ? "Nothing found." : `${many} found.`;
  if ($("summary").textContent !== words) $("summary").textContent = words;
}

// ---- drawing ----

function draw() {
  const w = source?.width() || 1, h = source?.height() || 1;
  if (boxes.width !== w) boxes.width = w;
  if (boxes.height !== h) boxes.height = h;
  const c = boxes.getContext("2d");
  c.clearRect(0, 0, w, h);
  const line = Math.max(2, Math.min(w, h) / 160);
  c.font = `600 ${Math.max(11, Math.min(w, h) / 30)}px system-ui, sans-serif`;
  c.textBaseline = "bottom";
  for (const f of found) {
    c.lineWidth = line * 1.8;
    c.strokeStyle = "rgb(4 20 8 / .7)";
    c.strokeRect(f.x, f.y, f.width, f.height);
    c.lineWidth = line;
    c.strokeStyle = "#2be06a";
    c.strokeRect(f.x, f.y, f.width, f.height);
    label(c, f, line);
  }
  boxes.dataset.found = JSON.stringify(found);
}

function label(c, f, line) {
  const text = model.calibrated ? f.score.toFixed(2) : f.score.toFixed(0);
  const width = c.measureText(text).width + 3 * line, height = parseFloat(c.font.split(" ")[1]) * 1.25;
  const top = f.y - height - line < 0 ? f.y + f.height + line : f.y - height - line;
  c.save();
  if (source.mirrored) { // the canvas is turned, the words are not to be
    c.translate(f.x + width, 0);
    c.scale(-1, 1);
  } else c.translate(f.x, 0);
  c.fillStyle = "#2be06a";
  c.fillRect(0, top, width, height);
  c.fillStyle = "#041408";
  c.fillText(text, 1.5 * line, top + height * 0.97);
  c.restore();
}

// ---- blur and save ----

// The margin around a face that is made unrecognisable too, and how many
// squares are left of the width of both: too few to know somebody by, and too
// few for the model to find a face again.
const margin = 0.25, squares = 5;

// pixelate replaces an ellipse around the face by the mean colours of squares.
function pixelate(image, f) {
  const x0 = Math.floor(f.x - margin * f.width), y0 = Math.floor(f.y - margin * f.height);
  const w = Math.ceil(f.width * (1 + 2 * margin)), h = Math.ceil(f.height * (1 + 2 * margin));
  const cell = Math.max(6, Math.ceil(w / squares));
  const { data, width, height } = image;
  for (let cy = y0; cy < y0 + h; cy += cell) {
    for (let cx = x0; cx < x0 + w; cx += cell) {
      // A square is replaced as a whole if its middle lies in the ellipse.
      const u = (cx + cell / 2 - x0 - w / 2) / (w / 2), v = (cy + cell / 2 - y0 - h / 2) / (h / 2);
      if (u * u + v * v > 1.2) continue;
      const left = Math.max(cx, 0), top = Math.max(cy, 0);
      const right = Math.min(cx + cell, width), bottom = Math.min(cy + cell, height);
      let r = 0, g = 0, b = 0, n = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const i = 4 * (y * width + x);
          r += data[i];
          g += data[i + 1];
          b += data[i + 2];
          n++;
        }
      }
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const i = 4 * (y * width + x);
          data[i] = r / n;
          data[i + 1] = g / n;
          data[i + 2] = b / n;
        }
      }
    }
  }
}

async function blurAndSave() {
  if (!source || !model) return;
  const from = source;
  $("blur").disabled = true;
  try {
    // The very picture that is saved is the one that is searched.
    const whole = document.createElement("canvas");
    whole.width = from.width();
    whole.height = from.height();
    const c = whole.getContext("2d", { willReadFrequently: true });
    c.drawImage(from.element, 0, 0);
    const image = c.getImageData(0, 0, whole.width, whole.height);
    const element = from.element;
    from.element = whole;
    let picture;
    try {
      picture = grab(longestStill);
    } finally {
      from.element = element;
    }
    // Small faces too, whatever the slider says: one that is left out gives
    // somebody away.
    const s = settings();
    // One that is missed costs more than a wall that is blurred.
    const score = model.calibrated ? Math.min(s.score, 0.1) : s.score;
    const { list } = await detect(picture, { ...s, min: 0, score });
    if (list.length === 0) {
      say("Nothing was found in this picture, so nothing was blurred and nothing saved.");
      return;
    }
    for (const f of list) pixelate(image, f);
    c.putImageData(image, 0, 0);
    const blob = await new Promise((resolve) => whole.toBlob(resolve, "image/png"));
    const a = document.createElement("a");
    a.href = URL.createObjectURL(blob);
    a.download = `${from.name}-blurred.png`;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
    say(`Saved ${a.download} with ${list.length} blurred. Look at it before you give it away: some ${model.objects} may have been missed.`);
  } catch (err) {
    say(`This picture cannot be saved: ${err.message}`);
  } finally {
    $("blur").disabled = !source;
  }
}

// ---- buttons, keys, dropping ----

function toggleCamera() {
  if (source?.camera) show(null);
  else openCamera($("device").value);
}

function togglePause() {
  if (!source?.live) return;
  paused = !paused;
  $("pause").textContent = paused ? "Go on" : "Pause";
  if (paused) video.pause();
  else video.play().then(search);
}

function step(id, by) {
  const input = $(id);
  input.value = String(Number(input.value) + by * Number(input.step));
  changed();
}

const keys = {
  c: toggleCamera,
  o: () => $("file").click(),
  " ": togglePause,
  b: blurAndSave,
  m: () => models.length && chooseModel((models.indexOf(model) + 1) % models.length),
  "+": () => step("min", 1),
  "=": () => step("min", 1),
  "-": () => step("min", -1),
};

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.repeat && e.key === " ") return;
  // Keys that the control in focus wants for itself are its own.
  const on = e.target.closest?.("button, select, summary, input");
  if (on && (e.key === " " || on.matches("select"))) return;
  const act = keys[e.key];
  if (act) {
    e.preventDefault();
    act();
  }
});

$("camera").addEventListener("click", toggleCamera);
$("open").addEventListener("click", () => $("file").click());
$("pause").addEventListener("click", togglePause);
$("blur").addEventListener("click", blurAndSave);
$("device").addEventListener("change", () => openCamera($("device").value));
$("file").addEventListener("change", () => {
  const [file] = $("file").files;
  $("file").value = "";
  if (file) openFile(file);
});

// Things may be dropped anywhere on the page.
document.addEventListener("dragover", (e) => {
  e.preventDefault();
  e.dataTransfer.dropEffect = "copy";
  stage.classList.add("over");
});
document.addEventListener("dragleave", (e) => {
  if (!e.relatedTarget) stage.classList.remove("over");
});
document.addEventListener("drop", async (e) => {
  e.preventDefault();
  stage.classList.remove("over");
  for (const file of [...e.dataTransfer.files]) await openFile(file); // copied: the event's own list is gone soon
});

// ---- begin ----

startWorker();
changed();
loadModels().then(
  () => { document.documentElement.dataset.ready = "yes"; },
  (err) => say(`The detector cannot be loaded: ${err.message}`),
);
navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it the page works too, with a network

// The page: where pictures come from, what is asked of the worker, and what is
// drawn. The detector itself runs in worker.js.

import { blurVideo, canBlurVideos } from "./blurvideo.js";
import { pixelate } from "./pixelate.js";

const $ = (id) => document.getElementById(id);
const stage = $("stage"), video = $("video"), still = $("still"), boxes = $("boxes");

// Live pictures are searched at this size at most, others at that one. Sizes
// that people set are in pixels of the picture.
const longestLive = 640, longestStill = 2048;

// ---- the worker ----

let worker, nextKey = 1, ready;
const kept = []; // messages that load models, for a worker that takes another's place
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

// restart ends what the worker is at: nothing else does. The next one is told of
// the models again.
function restart() {
  worker.terminate();
  for (const w of waiting.values()) w.reject(new DOMException("It was cancelled.", "AbortError"));
  waiting.clear();
  startWorker();
  for (const m of kept) ask({ ...m, bytes: m.bytes.slice(0) }).catch(() => {});
}

async function load(type, bytes) {
  kept.push({ type, bytes: bytes.slice(0) });
  try {
    return await ask({ type, bytes }, [bytes]);
  } catch (err) {
    if (err.name !== "AbortError") kept.pop();
    throw err;
  }
}

// ---- messages ----

function say(text) {
  $("message").textContent = text;
  $("message").hidden = !text;
}

// working shows that something takes its time, and how far it is; cancel ends it.
let cancel = null, slow = 0;

function working(text, done = null, stop = null) {
  clearTimeout(slow);
  cancel = stop;
  stage.setAttribute("aria-busy", String(Boolean(text)));
  $("working").hidden = !text;
  $("work").textContent = text ?? "";
  $("cancel").hidden = !stop;
  if (done === null) $("progress").removeAttribute("value");
  else $("progress").value = done;
}

// workingSoon is working for what is mostly over at once.
function workingSoon(text, stop) {
  clearTimeout(slow);
  slow = setTimeout(() => working(text, null, stop), 300);
}

// ---- models ----

const models = []; // {id, label, object, objects, width, height, scale, calibrated, minScore, weak}
let model = null, other = null; // other is the one to compare with

async function addModel(name, bytes) {
  const info = await load("load", bytes);
  const label = name || info.name || "model";
  const option = document.createElement("option");
  option.value = String(models.length);
  option.textContent = label;
  models.push({ ...info, label });
  if (models.length === 1) $("model").replaceChildren();
  $("model").append(option);
  $("compare").append(option.cloneNode(true));
  $("model").disabled = $("compare").disabled = false;
  return models.length - 1;
}

function chooseModel(i) {
  model = models[i];
  $("model").value = String(i);
  $("about").textContent =
    `Window ${model.width}×${model.height}, ${model.weak.toLocaleString("en")} weak classifiers. ` +
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

function compareWith(i) {
  other = models[i] ?? null;
  $("compare").value = other ? String(i) : "";
  changed();
}

async function loadModels() {
  const index = await (await fetch("models/index.json")).json();
  for (const m of index) {
    const i = await addModel(m.name, await (await fetch(m.file)).arrayBuffer());
    if (i === 0) chooseModel(0);
  }
  await load("points", await (await fetch("models/face5.points")).arrayBuffer());
  readAddress();
}

// ---- settings ----

// smallest is for live pictures, which have no time for small faces, and for others,
// where 0 is what the model can see.
const smallest = { live: 60, still: 0 };
const kind = () => (source?.live ? "live" : "still");

let scaleChosen = false; // otherwise the model's
const settings = () => ({
  min: smallest[kind()],
  score: Number($("score").value),
  scale: scaleChosen ? Number($("scale").value) : 0,
});

function showSettings() {
  const s = settings();
  const live = source?.live && !paused ? inTime(s) : s;
  $("min").value = String(s.min);
  $("min-value").textContent = s.min ? `${live.min} pixels${live.min === s.min ? "" : ", to keep up"}` : "as the model can see";
  $("score-value").textContent = model?.calibrated === false ? String(s.score) : s.score.toFixed(2);
  $("scale-value").textContent = !live.scale ? "the model's" : live.scale.toFixed(2) + (live.scale === s.scale ? "" : ", to keep up");
}

function changed() {
  showSettings();
  writeAddress();
  if (source && !source.live) search();
  else if (paused) search();
  searchGallery();
}

// The settings are in the address, behind #, so that it can be kept and given away.
function writeAddress() {
  if (!document.documentElement.dataset.ready) return;
  const s = new URLSearchParams();
  if (models.indexOf(model) > 0) s.set("model", model.label);
  if (other) s.set("compare", other.label);
  if (smallest.still) s.set("min-size", smallest.still);
  if (smallest.live !== 60) s.set("live-min-size", smallest.live);
  if (model && Number($("score").value) !== model.minScore) s.set("min-score", $("score").value);
  if (scaleChosen) s.set("scale", $("scale").value);
  if ($("points").checked) s.set("points", "face5");
  history.replaceState(null, "", s.size ? `#${s}` : location.pathname);
}

function readAddress() {
  const s = new URLSearchParams(location.hash.slice(1));
  const named = (name) => models.findIndex((m) => m.label === s.get(name));
  if (named("model") > 0) chooseModel(named("model"));
  if (named("compare") >= 0) compareWith(named("compare"));
  const size = (name, or) => (s.has(name) ? Math.max(0, Number(s.get(name)) || 0) : or);
  smallest.still = size("min-size", 0);
  smallest.live = size("live-min-size", 60);
  minChosen ||= s.has("live-min-size");
  if (s.has("min-score")) $("score").value = s.get("min-score");
  scaleChosen = s.has("scale");
  if (scaleChosen) $("scale").value = s.get("scale");
  $("points").checked = s.has("points");
  changed();
}

addEventListener("hashchange", readAddress);
$("scale").addEventListener("input", () => { stepChosen = scaleChosen = true; });
$("min").addEventListener("input", () => { minChosen ||= kind() === "live"; smallest[kind()] = Number($("min").value); });
$("points").addEventListener("change", changed);
$("compare").addEventListener("change", () => compareWith($("compare").value === "" ? -1 : Number($("compare").value)));
for (const id of ["min", "score", "scale"]) $(id).addEventListener("input", changed);
$("model").addEventListener("change", () => chooseModel(Number($("model").value)));

// ---- what is looked at ----

// source is {element, width(), height(), live, mirrored, name, stop()} or null.
let source = null, paused = false, found = [], otherFound = [];
let last = null; // the search that is shown: {width, height, milliseconds}
let sources = 0; // how many there have been
let turn = 0; // of what was asked for last, which others make way for that take their time

function show(next) {
  source?.stop();
  source = next;
  if (source) source.number = ++sources;
  paused = false;
  ahead = null;
  found = [];
  otherFound = [];
  last = null;
  showSettings();
  draw();
  video.hidden = source?.element !== video;
  still.hidden = source?.element !== still;
  stage.classList.toggle("empty", !source);
  stage.classList.toggle("mirrored", Boolean(source?.mirrored));
  $("camera").textContent = source?.camera ? "Stop camera" : "Start camera";
  $("pause").disabled = !source?.live;
  $("pause").textContent = "Pause";
  $("blur").disabled = $("measure").disabled = !source;
  $("save").hidden = !source;
  $("blur-video").hidden = !(source?.url && canBlurVideos());
  for (const b of $("gallery").querySelectorAll("button")) b.setAttribute("aria-current", String(gallery[Number(b.value)] === source?.item));
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

// readBitmap reads a picture, upright as the camera noted. One that takes longer than the
// server would wait for is given up: a small file may have thousands of scans.
function readBitmap(file) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("this picture takes more than 20 s to read"), { late: true })), 20_000);
  });
  return Promise.race([createImageBitmap(file), late]).finally(() => clearTimeout(timer));
}

async function openPicture(file, item = null) {
  const mine = ++turn;
  let bitmap;
  try {
    bitmap = await readBitmap(file);
  } catch (err) {
    throw err.late ? err : new Error("this is not a picture, a video or a cascade that can be read here");
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
    element: still, live: false, item, name: file.name.replace(/\.[^.]*$/, ""),
    width: () => still.width, height: () => still.height, stop() {},
  });
}

// ---- several pictures ----

const gallery = []; // {file, bitmap, count, result}
let galleryTurn = 0;

// openFiles shows one file, or several pictures as a contact sheet.
async function openFiles(files) {
  const pictures = files.filter((f) => f.type.startsWith("image/"));
  for (const f of files) if (pictures.length < 2 || !pictures.includes(f)) await openFile(f);
  if (pictures.length < 2) return;
  say("");
  const first = gallery.length;
  for (const file of pictures) await addToGallery(file);
  if (gallery.length > first) await openPicture(gallery[first].file, gallery[first]).catch((err) => say(err.message));
  searchGallery();
}

async function addToGallery(file) {
  let bitmap;
  try {
    bitmap = await readBitmap(file);
  } catch (err) {
    say(`${file.name}: ${err.late ? err.message : "this is not a picture that can be read here"}`);
    return;
  }
  const item = { file, result: null };
  const thumbnail = document.createElement("canvas");
  const part = Math.min(1, 224 / bitmap.width, 168 / bitmap.height);
  thumbnail.width = Math.max(1, Math.round(bitmap.width * part));
  thumbnail.height = Math.max(1, Math.round(bitmap.height * part));
  thumbnail.getContext("2d").drawImage(bitmap, 0, 0, thumbnail.width, thumbnail.height);
  bitmap.close();
  const button = document.createElement("button");
  button.type = "button";
  button.value = String(gallery.length);
  button.title = file.name;
  item.badge = document.createElement("span");
  item.badge.textContent = "…";
  button.append(thumbnail, item.badge);
  button.addEventListener("click", () => openPicture(file, item).catch((err) => say(`${file.name}: ${err.message}`)));
  gallery.push(item);
  const li = document.createElement("li");
  li.append(button);
  $("gallery").append(li);
  $("gallery").hidden = false;
}

// searchGallery searches all pictures of the contact sheet, one after another, with
// the settings of now; what it was doing before it gives up.
async function searchGallery() {
  const mine = ++galleryTurn;
  delete $("gallery").dataset.searched;
  await new Promise((resolve) => setTimeout(resolve, 200)); // sliders move on
  for (const item of gallery) {
    if (mine !== galleryTurn || !model) return;
    try {
      const bitmap = await readBitmap(item.file);
      const picture = grab(longestStill, bitmap, bitmap.width, bitmap.height);
      const size = { width: bitmap.width, height: bitmap.height };
      bitmap.close();
      const s = { ...settings(), min: smallest.still };
      const { list, milliseconds } = await detect(picture, s);
      if (mine !== galleryTurn) return;
      item.result = { ...size, milliseconds, list };
      item.badge.textContent = String(list.length);
      item.badge.title = `${list.length} ${model.objects}`;
    } catch (err) {
      item.badge.textContent = "!";
      item.badge.title = err.message;
    }
  }
  $("gallery").dataset.searched = "yes";
}

function nextPicture(by) {
  if (gallery.length === 0) return;
  const i = gallery.indexOf(source?.item);
  const item = gallery[(i + by + gallery.length) % gallery.length];
  openPicture(item.file, item).catch((err) => say(`${item.file.name}: ${err.message}`));
}

async function openVideo(file) {
  const mine = ++turn;
  const url = URL.createObjectURL(file);
  const own = {
    element: video, live: true, url, name: file.name.replace(/\.[^.]*$/, ""),
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
function grab(longest, element = source.element, w = source.width(), h = source.height()) {
  const part = Math.min(1, longest / Math.max(w, h));
  const width = Math.max(1, Math.round(w * part)), height = Math.max(1, Math.round(h * part));
  if (scratch.width !== width || scratch.height !== height) {
    scratch.width = width;
    scratch.height = height;
  }
  pen.drawImage(element, 0, 0, width, height);
  return { data: pen.getImageData(0, 0, width, height).data, width, height, part, at: 1000 * element.currentTime };
}

// detect finds what is in a grabbed picture, in pixels of the source. frame says of
// which source and time it is, if what is found is to be followed from frame to frame.
async function detect(picture, s = settings(), by = model, frame = null) {
  const wanted = $("points").checked && by.object === "face";
  const { found, faces, points, tracks, milliseconds } = await ask({
    type: "detect", model: by.id, pixels: picture.data.buffer, width: picture.width, height: picture.height,
    options: { min: Math.round(s.min * picture.part), scale: s.scale, score: s.score, neighbors: 0, points: wanted, frame },
  }, [picture.data.buffer]);
  const box = (from, i) => {
    const [x, y, width, height] = from.slice(i, i + 4).map((v) => v / picture.part);
    return { x, y, width, height };
  };
  const list = [], each = found ? (points?.length ?? 0) / found : 0;
  for (let i = 0; i < faces.length / 6; i++) {
    const face = { ...box(faces, 6 * i), score: faces[6 * i + 4], neighbors: faces[6 * i + 5] };
    if (frame) Object.assign(face, { track: tracks[5 * i], predicted: i >= found, shown: box(tracks, 5 * i + 1) });
    if (each && i < found) face.points = points.slice(i * each, (i + 1) * each).map((v) => v / picture.part);
    list.push(face);
  }
  return { list, milliseconds };
}

// Cameras give 30 pictures a second. Where a search takes longer than that leaves time
// for, live pictures are searched in larger steps of size, and then for larger objects
// only, unless people have chosen these themselves.
const patience = 30, enough = 10; // milliseconds, and searches to judge by
const savings = [ // each ends below so many milliseconds
  { scale: 0, min: 1, ease: 0 },
  { scale: 1.2, min: 1, ease: 14 },
  { scale: 1.2, min: 1.25, ease: 20 },
  { scale: 1.2, min: 1.5, ease: 20 },
];
let average = 0, judged = 0, saving = 0, stepChosen = false, minChosen = false;

function inTime(s) {
  const { scale, min } = savings[saving];
  return { ...s, scale: stepChosen ? s.scale : Math.max(s.scale, scale > model?.scale ? scale : 0), min: minChosen ? s.min : Math.round(s.min * min) };
}

// keepUp takes in how long a picture took, from when it was taken to when it was drawn.
function keepUp(milliseconds) {
  average = judged++ ? 0.8 * average + 0.2 * milliseconds : milliseconds;
  if (judged < enough) return;
  const next = saving + (average > patience ? 1 : average < savings[saving].ease ? -1 : 0);
  if (next === saving || !savings[next]) return;
  saving = next;
  judged = 0;
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
    const begun = performance.now(), moves = at.live && !paused;
    const picture = moves && ahead || grab(at.live ? longestLive : longestStill);
    ahead = null;
    const s = moves ? inTime(settings()) : settings();
    const copy = other ? { ...picture, data: picture.data.slice() } : null;
    if (!at.live) workingSoon("Searching…", restart);
    const frame = at.live ? { source: at.number, at: picture.at } : null;
    const { list, milliseconds } = await detect(picture, s, model, frame);
    const second = copy && other ? await detect(copy, { ...s, score: other.minScore }, other) : null;
    if (!at.live) working(null);
    if (source === at) {
      found = list;
      otherFound = second?.list ?? [];
      last = { milliseconds, second: second?.milliseconds };
      draw();
      figures(picture);
      if (moves) keepUp(performance.now() - begun);
    } else again = true;
  } catch (err) {
    working(null);
    say(err.name === "AbortError" ? "The search was cancelled." : `This picture cannot be searched: ${err.message}`);
    again = false;
    following = false;
    unfollow();
  }
  busy = false;
  if (again) search();
}

// follow searches when the source has another picture.
let unfollow = () => {}, following = false;
let ahead = null; // the next picture, if it came during a search

function follow() {
  if (following) return;
  following = true;
  const next = () => {
    following = false;
    if (paused) return;
    search();
    if (busy && again && source?.live) {
      ahead = grab(longestLive); // while the worker searches
      follow(); // there may be a newer one
    }
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
function figures(picture) {
  const now = performance.now();
  times.push(now);
  while (times[0] < now - 1000) times.shift();
  const many = found.filter((f) => !f.predicted).length;
  if (source.live && now - told < 250) return; // numbers that can be read
  told = now;
  $("count").textContent = other ? `${many} · ${otherFound.length}` : String(many);
  $("milliseconds").textContent = `${last.milliseconds.toFixed(1)}${other && last.second ? ` · ${last.second.toFixed(1)}` : ""} ms`;
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
  drawOn(c, w, h);
  boxes.dataset.found = JSON.stringify(found);
  boxes.dataset.other = JSON.stringify(otherFound);
}

// drawOn draws what was found: the first model's boxes in green, pale where they are
// predicted, those of the one that it is compared with in orange and dashed.
function drawOn(c, w, h) {
  const line = Math.max(2, Math.min(w, h) / 160);
  c.strokeStyle = "#ffa62b";
  c.lineWidth = line;
  c.setLineDash([4 * line, 2 * line]);
  for (const f of otherFound) c.strokeRect(f.x, f.y, f.width, f.height);
  c.setLineDash([]);
  for (const f of found) {
    const { x, y, width, height } = f.shown ?? f;
    c.globalAlpha = f.predicted ? 0.5 : 1;
    c.lineWidth = line * 1.8;
    c.strokeStyle = "rgb(4 20 8 / .7)";
    c.strokeRect(x, y, width, height);
    c.lineWidth = line;
    c.strokeStyle = "#2be06a";
    c.strokeRect(x, y, width, height);
    c.globalAlpha = 1;
    for (let i = 0; i < (f.points?.length ?? 0); i += 2) {
      c.beginPath();
      c.arc(f.points[i], f.points[i + 1], Math.max(line * 0.9, f.width / 60), 0, 7);
      c.fillStyle = "#2be06a";
      c.fill();
      c.lineWidth = line / 2;
      c.strokeStyle = "#041408";
      c.stroke();
    }
  }
  for (const f of found) label(c, f, w, h);
}

// label writes the score above a box, or below it if there is no room, and before it
// the number of the track: smaller letters for small faces, which may be many.
function label(c, face, w, h) {
  const f = face.shown ?? face, usual = Math.max(11, Math.min(w, h) / 30);
  const letters = Math.min(usual, Math.max(0.3 * f.width, 0.45 * usual)), space = letters / 4;
  const text = (face.track ? `${face.track}: ` : "") + face.score.toFixed(model.calibrated ? 2 : 0);
  c.font = `600 ${letters}px system-ui, sans-serif`;
  c.textBaseline = "bottom";
  const width = c.measureText(text).width + 2 * space, height = 1.25 * letters;
  const top = f.y - height - space < 0 ? f.y + f.height + space : f.y - height - space;
  const left = Math.min(Math.max(source.mirrored ? f.x + f.width - width : f.x, 0), Math.max(w - width, 0));
  c.save();
  c.globalAlpha = face.predicted ? 0.5 : 1;
  if (source.mirrored) { // the canvas is turned, the words are not to be
    c.translate(left + width, 0);
    c.scale(-1, 1);
  } else c.translate(left, 0);
  c.fillStyle = "#2be06a";
  c.fillRect(0, top, width, height);
  c.fillStyle = "#041408";
  c.fillText(text, space, top + height * 0.97);
  c.restore();
}

// ---- blur and save ----

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
    const name = `${from.name}-blurred.png`;
    download(blob, name);
    say(`Saved ${name} with ${list.length} blurred. Look at it before you give it away: some ${model.objects} may have been missed.`);
  } catch (err) {
    say(`This picture cannot be saved: ${err.message}`);
  } finally {
    $("blur").disabled = !source;
  }
}

function download(blob, name) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

async function blurWholeVideo() {
  const from = source;
  if (!from?.url) return;
  if (!paused) togglePause();
  const stop = new AbortController();
  const by = model;
  const end = () => {
    stop.abort();
    restart();
  };
  $("blur-video").disabled = true;
  working("Blurring…", 0, end);
  try {
    const s = settings();
    const made = await blurVideo(from.url, {
      signal: stop.signal,
      tell: (share) => working(`Blurring: ${Math.round(100 * share)} per cent`, share, end),
      async detect(image) {
        const score = by.calibrated ? Math.min(s.score, 0.1) : s.score;
        const { list } = await detect({ data: image.data, width: image.width, height: image.height, part: 1 }, { ...s, min: 0, score }, by);
        return list;
      },
    });
    const name = `${from.name}-blurred.webm`;
    download(made.blob, name);
    say(`Saved ${name}: ${made.frames} frames, ${made.empty} of them without ${by.objects}, and no sound. Look at it before you give it away.`);
  } catch (err) {
    say(stop.signal.aborted ? "The video was not saved." : `This video cannot be blurred: ${err.message}`);
  } finally {
    $("blur-video").disabled = false;
    working(null);
  }
}

// ---- results ----

// results are what detect -format json prints: of all pictures of the contact sheet,
// or of the picture that is shown. Faces of a video or a camera have a track, as those
// of detect video have.
function results() {
  const round = (b) => ({ x: Math.round(b.x), y: Math.round(b.y), width: Math.round(b.width), height: Math.round(b.height) });
  const one = (name, r) => ({
    file: name, width: r.width, height: r.height, object: model.object, milliseconds: Math.round(r.milliseconds * 1000) / 1000,
    faces: r.list.map((f) => {
      const face = { ...round(f), score: Math.round(f.score * 1e6) / 1e6, neighbors: f.neighbors };
      if (f.shown) Object.assign(face, { track: f.track, predicted: f.predicted, shown: round(f.shown) });
      if (f.points) face.points = Array.from({ length: f.points.length / 2 }, (_, i) => [0, 1].map((k) => Math.round(f.points[2 * i + k] * 100) / 100));
      return face;
    }),
  });
  const all = gallery.filter((g) => g.result).map((g) => one(g.file.name, g.result));
  if (source?.item && all.length) return all;
  return [one(source.name, { width: source.width(), height: source.height(), milliseconds: last?.milliseconds ?? 0, list: found })];
}

function saveJSON() {
  download(new Blob([JSON.stringify(results(), null, 1), "\n"], { type: "application/json" }), "results.json");
}

function saveCSV() {
  const quote = (v) => (/[",\n]/.test(v) ? `"${String(v).replaceAll('"', '""')}"` : v);
  const all = results(), names = ["file", "x", "y", "width", "height", "score", "neighbors"];
  if (source.live) names.push("track", "predicted");
  const points = Math.max(0, ...all.flatMap((p) => p.faces.map((f) => f.points?.length ?? 0)));
  for (let i = 1; i <= points; i++) names.push(`x${i}`, `y${i}`);
  const lines = [names];
  for (const p of all) {
    for (const f of p.faces) {
      const track = f.shown ? [f.track, f.predicted] : [];
      lines.push([quote(p.file), f.x, f.y, f.width, f.height, f.score, f.neighbors, ...track, ...(f.points ?? []).flat()]);
    }
  }
  download(new Blob([lines.map((l) => l.join(",")).join("\n"), "\n"], { type: "text/csv" }), "results.csv");
}

async function savePicture() {
  const whole = document.createElement("canvas");
  whole.width = source.width();
  whole.height = source.height();
  const c = whole.getContext("2d");
  const mirrored = source.mirrored;
  c.drawImage(source.element, 0, 0);
  source.mirrored = false; // a file is not a mirror
  drawOn(c, whole.width, whole.height);
  source.mirrored = mirrored;
  download(await new Promise((resolve) => whole.toBlob(resolve, "image/png")), `${source.name}-found.png`);
}

// ---- benchmark ----

// measure searches the picture that is shown nine times with each model.
async function measure() {
  if (!source) return;
  if (source.live && !paused) togglePause();
  $("measure").disabled = true;
  const body = $("measured").tBodies[0];
  body.replaceChildren();
  $("measured").hidden = false;
  const taken = { element: source.element, width: source.width(), height: source.height() };
  const longest = source.live ? longestLive : longestStill;
  let stopped = false;
  const stop = () => { stopped = true; };
  try {
    for (const [i, m] of models.entries()) {
      working(`Measuring ${m.label}`, i / models.length, stop);
      const all = [];
      let count = 0;
      for (let k = 0; k < 10 && !stopped; k++) { // the first one makes ready
        const { list, milliseconds } = await detect(grab(longest, taken.element, taken.width, taken.height), { ...settings(), score: m.minScore }, m);
        if (k > 0) all.push(milliseconds);
        count = list.length;
      }
      if (stopped) break;
      all.sort((a, b) => a - b);
      const row = body.insertRow();
      for (const text of [m.label, `${all[4].toFixed(1)} ms`, String(count)]) row.insertCell().textContent = text;
    }
  } catch (err) {
    say(`It cannot be measured: ${err.message}`);
  } finally {
    working(null);
    $("measure").disabled = !source;
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

function step(by) {
  minChosen ||= kind() === "live";
  smallest[kind()] = Math.min(400, Math.max(0, smallest[kind()] + by * 4));
  changed();
}

const keys = {
  c: toggleCamera,
  o: () => $("file").click(),
  " ": togglePause,
  b: blurAndSave,
  m: () => models.length && chooseModel((models.indexOf(model) + 1) % models.length),
  "+": () => step(1),
  "=": () => step(1),
  "-": () => step(-1),
  ArrowLeft: () => nextPicture(-1),
  ArrowRight: () => nextPicture(1),
  Escape: () => cancel?.(),
};

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.repeat && e.key === " ") return;
  // Keys that the control in focus wants for itself are its own.
  const on = e.target.closest?.("button, select, summary, input");
  if (on && (e.key === " " || on.matches("select") || e.key.startsWith("Arrow") && on.matches("input"))) return;
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
  const files = [...$("file").files];
  $("file").value = "";
  openFiles(files);
});
document.addEventListener("paste", (e) => {
  const files = [...(e.clipboardData?.files ?? [])];
  if (files.length) {
    e.preventDefault();
    openFiles(files);
  }
});
$("cancel").addEventListener("click", () => cancel?.());
$("blur-video").addEventListener("click", blurWholeVideo);
$("measure").addEventListener("click", measure);
for (const [id, act] of Object.entries({ "save-json": saveJSON, "save-csv": saveCSV, "save-picture": savePicture })) {
  $(id).addEventListener("click", () => {
    $("save").open = false;
    act();
  });
}

// Things may be dropped anywhere on the page.
document.addEventListener("dragover", (e) => {
  e.preventDefault();
  e.dataTransfer.dropEffect = "copy";
  stage.classList.add("over");
});
document.addEventListener("dragleave", (e) => {
  if (!e.relatedTarget) stage.classList.remove("over");
});
document.addEventListener("drop", (e) => {
  e.preventDefault();
  stage.classList.remove("over");
  openFiles([...e.dataTransfer.files]); // copied: the event's own list is gone soon
});

// ---- begin ----

startWorker();
$("save").hidden = true;
changed();
loadModels().then(
  () => { document.documentElement.dataset.ready = "yes"; },
  (err) => say(`The detector cannot be loaded: ${err.message}`),
);
navigator.serviceWorker?.register("sw.js").catch(() => {}); // without it the page works too, with a network

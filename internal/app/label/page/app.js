// The page: the list of pictures, the picture, its labels, and the keys.

import { Sheet, isMarker } from "./sheet.js";
import { View } from "./view.js";
import { List } from "./list.js";

const $ = (id) => document.getElementById(id);
const colours = ["#36d67f", "#ffb02e", "#4cb3ff", "#ff6f91", "#b78cff", "#f4e04d", "#2fd8d0", "#ff8a4c", "#9ee03a", "#e58be8"];
const query = (o) => Object.entries(o).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
const plural = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

async function get(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("The program does not answer. Is it still running?");
  }
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

let folder; // what the server says about it
let byName = new Map(); // pictures, by name
let sheet = null;
let image = null;
let column = "class"; // the tag that the chips set
let active = ""; // label of new objects
let filter = "all";
let review = { items: [], searched: 0, of: 0 };
let reviewed = null; // the item that is looked at
let edition = 0;
let points = []; // names of landmarks, with new ones
let tags = []; // names of tags, with new ones
const values = new Map(); // of the tags
const history = new Map(); // sheets, by picture, for undo after coming back
const proposalCache = new Map();
let clipboard = null;

const host = {
  get sheet() {
    return sheet;
  },
  proposals: [],
  proposalColour: "#eaf6ff",
  selected: null,
  // chosen is the selected object or proposal.
  chosen() {
    const s = this.selected;
    if (!s || !sheet) return null;
    return s.kind === "object" ? sheet.object(s.id) : this.proposals.find((p) => p.id === s.id);
  },
  select(what) {
    this.selected = what;
    refreshPanel();
    view.draw();
  },
  colour(o) {
    const v = o.tags[column];
    const all = classNames();
    const i = v ? all.indexOf(v) : -1;
    return i >= 0 ? colours[i % colours.length] : v ? colours[9] : colours[0];
  },
  name(o) {
    return o.tags[column] || "";
  },
  // drawn makes the object of a box that is being drawn.
  drawn(box) {
    const o = sheet.create(box, {}, active ? { [column]: active } : {});
    this.selected = { kind: "object", id: o.id };
    return o.id;
  },
  // correct returns the selected object; a proposal becomes one.
  correct() {
    if (this.selected.kind === "proposal") accept(this.chosen());
    return this.selected.id;
  },
  // place puts the next point: of the selected object, or of a new one.
  place(x, y) {
    if (points.length === 0) {
      say("Give the point a name first: a field for it is under “Selected”.");
      $("object").hidden = false;
      $("new-point-name").focus();
      return null;
    }
    let o = this.selected?.kind === "object" ? this.chosen() : null;
    let name = o && this.selected.point && !(this.selected.point in o.points) ? this.selected.point : null;
    if (!name && o) name = points.find((p) => !(p in o.points));
    if (!name) {
      o = sheet.create(null, {}, active ? { [column]: active } : {});
      name = points[0];
    }
    o.points[name] = [view.round(x), view.round(y)];
    this.selected = { kind: "object", id: o.id };
    return { id: o.id, name };
  },
  moved() {
    refreshNumbers();
  },
  pressed() {
    document.body.dataset.drawer = "";
    $("export").open = false;
  },
  painted() {
    $("zoom").textContent = `${Math.round(view.scale * 100)}%`;
  },
};

const view = new View($("view"), host);
const list = new List($("list"), $("rows"), (item) => (item.item ? openItem(item.item) : open(item.key)));

function say(text, done = false) {
  $("message").hidden = !text;
  $("message").classList.toggle("done", done);
  $("message").firstElementChild.textContent = text ?? "";
}
$("message").querySelector("button").onclick = () => say("");

// ---- labels and tags

function classNames() {
  return values.get(column) ?? [];
}

function know(tag, value) {
  if (!tags.includes(tag)) tags.push(tag);
  if (!values.has(tag)) values.set(tag, []);
  if (value && !values.get(tag).includes(value)) values.get(tag).push(value);
}

function setClass(value) {
  const o = host.chosen();
  if (host.selected?.kind === "object") {
    active = value;
    sheet.change(() => {
      o.tags[column] = value;
    });
  } else {
    active = active === value ? "" : value;
  }
  refreshPanel();
}

// ---- pictures

async function start() {
  try {
    await readFolder();
  } catch (error) {
    say(error.message);
    setTimeout(start, 3000);
    return;
  }
  const columns = folder.tags;
  column = ["class", "label", "name", "category"].find((c) => columns.includes(c)) ?? Object.keys(folder.values)[0] ?? columns[0] ?? "class";
  refreshColumns();
  const wanted = decodeURIComponent(location.hash.slice(1));
  await open(byName.has(wanted) ? wanted : (folder.pictures.find((p) => !p.labelled) ?? folder.pictures[0]).name);
  if (folder.model) readReview();
  document.documentElement.dataset.ready = "yes";
}

async function readFolder() {
  folder = await get("/api/folder");
  edition = folder.edition;
  byName = new Map(folder.pictures.map((p) => [p.name, p]));
  points = [...new Set([...folder.points, ...points])];
  for (const t of folder.tags) know(t);
  for (const [t, all] of Object.entries(folder.values)) for (const v of all) know(t, v);
  $("folder").textContent = folder.folder;
  $("folder").title = folder.folder;
  $("path").textContent = folder.labels;
  document.title = `${folder.folder}: labels`;
  document.querySelector('[data-filter="review"]').disabled = !folder.model;
  document.querySelector('[data-filter="review"]').title = folder.model ? `Labels that ${folder.model.name} doubts` : "Needs a model: train-cascade ui -cascade MODEL";
  if (folder.left) $("done").title = `${plural(folder.left, "file")} not shown, such as ${folder.why}`;
  refreshList();
}

function pictureText(p) {
  if (!p.labelled) return "not labelled";
  if (p.objects === 0) return "no object";
  return plural(p.objects, "object") + (p.partial ? ", points missing" : "");
}

function shownPictures() {
  return folder.pictures.filter((p) => filter === "all" || !p.labelled || p.name === sheet?.picture);
}

const itemKey = (i) => `${i.kind} ${i.picture} ${i.box}`;

const doubt = {
  "no object": "The model does not find this", "wrong box": "The model finds this in another box",
  "wrong class": "The model finds this, which has another class", "double box": "Another label has about this box",
};
const itemText = (i) => i.why + (i.score === null ? "" : `, ${i.score.toFixed(2)}`);

function refreshList() {
  const labelled = folder.pictures.filter((p) => p.labelled).length;
  $("meter").firstElementChild.style.width = `${(100 * labelled) / folder.pictures.length}%`;
  $("done").textContent = `${labelled.toLocaleString("en")} of ${plural(folder.pictures.length, "picture")} labelled`;
  const counts = { all: folder.pictures.length, unlabelled: folder.pictures.length - labelled, review: folder.model ? review.items.length : "–" };
  for (const b of document.querySelectorAll("[data-filter]")) {
    b.setAttribute("aria-checked", b.dataset.filter === filter);
    let small = b.querySelector("small");
    if (!small) b.append((small = document.createElement("small")));
    small.textContent = counts[b.dataset.filter].toLocaleString("en");
  }
  if (filter === "review") {
    list.set(review.items.map((i) => {
      const [x, y, w, h] = i.box, m = Math.round(Math.max(w, h) * 0.3);
      return {
        key: itemKey(i), item: i, title: i.picture, text: itemText(i), state: i.kind,
        image: `/crop?${query({ picture: i.picture, side: 128, x: x - m, y: y - m, width: w + 2 * m, height: h + 2 * m })}`,
      };
    }));
    list.setCurrent(reviewed && itemKey(reviewed));
  } else {
    list.set(shownPictures().map((p) => ({
      key: p.name, title: p.name, text: pictureText(p), state: !p.labelled ? "open" : p.partial ? "part" : "full",
      image: `/crop?${query({ picture: p.name, side: 144 })}`,
    })));
    list.setCurrent(sheet?.picture);
  }
  $("nothing").hidden = list.items.length > 0;
  $("nothing").textContent = filter !== "review" ? "All pictures are labelled." :
    review.searched < review.of ? "Searching…" : review.of === 0 ? "Nothing is labelled yet." : "Nothing left to review.";
}

function loadImage(url) {
  return new Promise((resolve, reject) => {
    const i = new Image();
    i.onload = () => resolve(i);
    i.onerror = () => reject(new Error("this picture cannot be shown"));
    i.src = url;
  });
}

// pixels loads a picture. What a browser turns another way is decoded by the server.
async function pixels(name, { width, height }) {
  const url = `/picture?${query({ picture: name })}`;
  try {
    const i = await loadImage(url);
    if (Math.abs(i.naturalWidth * height - i.naturalHeight * width) <= Math.max(width, height)) return i;
  } catch {
    // the server may know it better
  }
  return loadImage(`${url}&decoded=yes`);
}

let opening = 0;

// open goes to a picture, after the labels of the present one are saved.
async function open(name, then) {
  document.body.dataset.drawer = "";
  const turn = ++opening;
  if (sheet?.picture === name && image) return then?.();
  if (sheet && !(await sheet.save())) {
    say("The labels of this picture are not saved yet, so it stays here. " + $("saved").textContent);
    return;
  }
  if (turn !== opening) return;
  let answer, shown;
  try {
    answer = await get(`/api/labels?${query({ picture: name })}`);
    shown = await pixels(name, answer);
  } catch (error) {
    if (turn !== opening) return;
    say(`${name}: ${error.message}`);
    if (!answer) answer = { picture: name, width: 1, height: 1, version: "", objects: [], decisions: [], unreadable: true };
  }
  if (sheet) await sheet.save(); // of what was done while this one came
  if (turn !== opening) return;
  if (shown) say("");
  const old = history.get(name);
  if (old && old.version === answer.version) {
    sheet = old;
  } else {
    sheet = new Sheet(answer, { changed: sheetChanged, saved, conflict });
    history.set(name, sheet);
    if (history.size > 50) history.delete(history.keys().next().value);
  }
  image = shown ?? null;
  host.selected = null;
  host.proposals = [];
  for (const o of sheet.objects) for (const [t, v] of Object.entries(o.tags)) if (t === column) know(t, v);
  view.show(image);
  if (then) then();
  location.replace(`#${encodeURIComponent(name)}`);
  if (filter === "unlabelled") refreshList();
  list.setCurrent(reviewed && filter === "review" ? itemKey(reviewed) : name, true);
  sheetChanged();
  propose();
  // The next one comes faster then.
  const next = neighbour(1);
  if (next && !next.item) new Image().src = `/picture?${query({ picture: next.key })}`;
}

// openItem shows a window for review.
async function openItem(item) {
  reviewed = item;
  const look = () => {
    view.look(item.box);
    if (item.kind === "label") {
      const o = sheet.objects.find((o) => overlap(o.box ?? around(o), item.box) > 0.9);
      host.select(o ? { kind: "object", id: o.id } : null);
    }
  };
  if (sheet?.picture === item.picture) {
    look();
    document.body.dataset.drawer = "";
    list.setCurrent(itemKey(item), true);
    selectReviewed();
    refreshWhere();
  } else {
    await open(item.picture, look);
  }
}

function selectReviewed() {
  if (sheet) refreshProposals();
  if (reviewed?.kind !== "detection" || reviewed.picture !== sheet?.picture) return;
  const p = host.proposals.find((p) => overlap(p.box, reviewed.box) > 0.9);
  if (p) host.select({ kind: "proposal", id: p.id });
}

function neighbour(step) {
  const current = filter === "review" ? reviewed && itemKey(reviewed) : sheet?.picture;
  const i = list.items.findIndex((item) => item.key === current);
  return list.items[i < 0 ? 0 : i + step];
}

function go(step) {
  const to = neighbour(step);
  if (!to) return say(step > 0 ? "That was the last one." : "That was the first one.");
  say("");
  if (to.item) openItem(to.item);
  else open(to.key);
}

// ---- proposals

function overlap(a, b) {
  if (!a || !b) return 0;
  const w = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]), h = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (w <= 0 || h <= 0) return 0;
  return (w * h) / (a[2] * a[3] + b[2] * b[3] - w * h);
}

function around(o) {
  const all = Object.values(o.points);
  if (all.length === 0) return null;
  const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const half = Math.max(x1 - x0, y1 - y0, 0.5);
  return [(x0 + x1) / 2 - half, (y0 + y1) / 2 - half, 2 * half, 2 * half];
}

async function propose() {
  if (!folder.model) return;
  const name = sheet.picture;
  if (!proposalCache.has(name)) {
    try {
      const all = await get(`/api/proposals?${query({ picture: name })}`);
      proposalCache.set(name, all.map((p, i) => ({ id: `p${i} ${name}`, ...p })));
    } catch (error) {
      if (sheet.picture === name) say(`${folder.model.name}: ${error.message}`);
      return;
    }
  }
  if (sheet.picture !== name) return;
  refreshProposals();
  selectReviewed();
  refreshPanel();
  view.draw();
}

// refreshProposals leaves out what is labelled or rejected.
function refreshProposals() {
  const all = [...(proposalCache.get(sheet?.picture) ?? [])];
  const here = filter === "review" && reviewed?.picture === sheet?.picture ? reviewed : null;
  if (here?.better && !all.some((p) => overlap(p.box, here.better) > 0.9)) all.push({ id: `r ${itemKey(here)}`, box: here.better, score: here.score });
  host.proposals = all.filter((p) =>
    here?.kind === "label" && overlap(p.box, here.better) > 0.9 || !sheet.objects.some((o) => overlap(o.box ?? around(o), p.box) >= 0.5) &&
    !sheet.decisions.some((d) => d.verdict === "reject" && overlap(d.box, p.box) >= 0.5));
  if (host.selected?.kind === "proposal" && !host.chosen()) host.selected = null;
}

function clipped([x, y, w, h]) {
  const x0 = Math.max(x, 0), y0 = Math.max(y, 0);
  return [x0, y0, Math.min(x + w, sheet.width) - x0, Math.min(y + h, sheet.height) - y0];
}

// accept makes an object of a proposal, within a change.
function accept(p) {
  const { column: tag, class: value } = folder.model;
  const o = sheet.create(clipped(p.box), {}, value ? { [tag]: value } : active ? { [column]: active } : {});
  host.selected = { kind: "object", id: o.id };
  return o;
}

// underCursor is the smallest proposal under the cursor.
function underCursor() {
  const all = view.hover ? host.proposals.filter((p) => view.over(p.box)) : [];
  return all.sort((a, b) => a.box[2] * a.box[3] - b.box[2] * b.box[3])[0];
}

// acceptSelected accepts the selected proposal; without a selection, the one under the
// cursor.
function acceptSelected() {
  const under = host.chosen() ? undefined : underCursor();
  if (under) host.select({ kind: "proposal", id: under.id });
  const chosen = host.chosen();
  if (!chosen) return;
  if (host.selected.kind === "proposal") {
    sheet.change(() => accept(chosen));
    nextProposal();
  } else if (filter === "review" && reviewed?.kind === "label") {
    sheet.change(() => sheet.decisions.push({ id: `d${Math.random()}`, box: chosen.box ?? around(chosen), verdict: "keep" }));
    nextProposal();
  }
}

function acceptAll() {
  const o = host.selected?.kind === "object" && host.chosen();
  if (o && filter === "review" && reviewed?.kind === "label" && reviewed.better) {
    sheet.change(() => { o.box = clipped(reviewed.better); });
    nextProposal();
    return;
  }
  if (host.proposals.length === 0) return;
  sheet.change(() => host.proposals.forEach(accept));
  host.select(null);
}

function remove() {
  const chosen = host.chosen();
  if (!chosen) return;
  const { kind, id, point } = host.selected;
  if (kind === "proposal") {
    sheet.change(() => sheet.decisions.push({ id: `d${Math.random()}`, box: chosen.box, verdict: "reject" }));
    nextProposal();
    return;
  }
  sheet.change(() => {
    if (point && point in chosen.points && (chosen.box || Object.keys(chosen.points).length > 1)) {
      delete chosen.points[point];
    } else {
      sheet.remove(id, column);
    }
  });
  if (filter === "review") nextProposal();
  else host.select(sheet.object(id) ? { kind, id } : null);
}

// nextProposal goes on after a verdict: to the next window of a review, or proposal.
function nextProposal() {
  if (filter === "review" && reviewed) {
    const next = neighbour(1);
    review.items = review.items.filter((i) => i !== reviewed);
    reviewed = null;
    refreshList();
    if (next) openItem(next.item);
    else readReview();
    return;
  }
  host.select(host.proposals.length ? { kind: "proposal", id: host.proposals[0].id } : null);
}

let reviewTimer;
async function readReview() {
  clearTimeout(reviewTimer);
  try {
    review = await get("/api/review");
    if (reviewed) reviewed = review.items.find((i) => itemKey(i) === itemKey(reviewed)) ?? reviewed;
    refreshList();
    refreshWhere();
    if (review.searched < review.of) reviewTimer = setTimeout(readReview, 1500);
    else if (filter === "review" && !reviewed && review.items.length) openItem(review.items[0]);
  } catch {
    reviewTimer = setTimeout(readReview, 5000);
  }
}

// ---- saving

function saved(state, text, newEdition) {
  $("saved").dataset.state = state;
  $("saved").textContent = text;
  $("saved").title = state === "saved" ? folder.labels : text;
  if (state === "failed") say(`Not saved: ${text}. It is tried again every few seconds.`);
  if (state === "saved") {
    if ($("message").textContent.includes("Not saved:")) say("");
    if (newEdition !== undefined) edition = newEdition;
  }
}

function conflict() {
  const dialog = $("conflict");
  dialog.showModal();
  return new Promise((resolve) => {
    const done = (value) => {
      dialog.close();
      resolve(value);
    };
    for (const b of dialog.querySelectorAll("button")) b.onclick = () => done(b.value);
    dialog.oncancel = (e) => e.preventDefault(); // one has to choose
  });
}

// look asks whether the file has changed on the disk.
let learned = false; // the model was made of these labels
async function look() {
  if (document.hidden || !sheet || sheet.dirty || sheet.saving) return;
  try {
    const state = await get("/api/state");
    if ($("saved").dataset.state === "away") saved("saved", "Saved");
    $("learning").textContent = state.learning || (learned ? `Proposals are by ${state.model}` : "");
    $("learning").hidden = !$("learning").textContent;
    if (state.model !== (folder.model?.name ?? "")) {
      learned = true;
      proposalCache.clear();
      await readFolder();
      await propose();
      readReview();
    }
    if (state.edition === edition || sheet.dirty || sheet.saving) return;
    const present = sheet, version = sheet.version;
    await readFolder();
    const now = await get(`/api/labels?${query({ picture: present.picture })}`);
    if (sheet === present && sheet.version === version && now.version !== version && !sheet.dirty && !sheet.saving) {
      sheet.load(now);
      host.selected = null;
      say("The file of labels has changed on the disk. This is what it says now.");
      sheetChanged();
    }
    if (folder.model) readReview();
  } catch (error) {
    $("saved").dataset.state = "failed";
    $("saved").textContent = "No connection";
    $("saved").title = error.message;
    $("saved").dataset.state = "away";
  }
}
setInterval(look, 3000);
addEventListener("focus", look);
addEventListener("beforeunload", (e) => {
  if (sheet?.dirty || sheet?.saving) {
    sheet.save();
    e.preventDefault();
  }
});

// ---- panels

function sheetChanged() {
  refreshProposals();
  const p = byName.get(sheet.picture);
  const real = sheet.objects.filter((o) => !isMarker(o));
  if (p) {
    const now = {
      objects: real.length, labelled: sheet.objects.length > 0,
      partial: real.some((o) => Object.keys(o.points).length > 0 && points.some((n) => !(n in o.points))),
    };
    if (now.objects !== p.objects || now.labelled !== p.labelled || now.partial !== Boolean(p.partial)) {
      Object.assign(p, now);
      refreshList();
    }
  }
  if (host.selected && !host.chosen()) host.selected = null;
  refreshPanel();
  view.draw();
}

function refreshWhere() {
  const i = list.items.findIndex((item) => item.key === (filter === "review" ? reviewed && itemKey(reviewed) : sheet?.picture));
  const of = list.items.length.toLocaleString("en");
  $("where").textContent = `${i >= 0 ? `${(i + 1).toLocaleString("en")} of ${of}: ` : ""}${sheet?.picture ?? ""}${sheet && image ? `  (${sheet.width}×${sheet.height})` : ""}`;
}

function refreshColumns() {
  const select = $("column");
  const names = tags.includes(column) ? tags : [column, ...tags];
  select.replaceChildren(...names.map((t) => new Option(t, t, false, t === column)));
  select.hidden = names.length < 2;
}
$("column").onchange = () => {
  column = $("column").value;
  active = "";
  refreshPanel();
  view.draw();
};

function refreshPanel() {
  if (!sheet) return;
  const chosen = host.selected?.kind === "object" ? host.chosen() : null;
  // labels
  $("classes").replaceChildren(...classNames().map((name, i) => {
    const b = document.createElement("button");
    b.type = "button";
    b.setAttribute("role", "radio");
    b.setAttribute("aria-checked", chosen ? chosen.tags[column] === name : active === name);
    b.style.setProperty("--colour", colours[i % colours.length]);
    b.append(name);
    if (i < 9) {
      const k = document.createElement("kbd");
      k.textContent = i + 1;
      b.append(k);
    }
    b.onclick = () => setClass(name);
    return b;
  }));
  // the selected one
  $("unselected").hidden = Boolean(chosen);
  $("unselected").textContent = host.selected?.kind === "proposal" ? "A proposal: accept it, reject it, or drag it to correct it." : "Draw a box, or choose one.";
  $("object").hidden = !chosen;
  if (chosen) {
    refreshNumbers();
    $("ignore").checked = chosen.ignore;
    refreshTags(chosen);
    const next = points.find((p) => !(p in chosen.points));
    $("points").replaceChildren(...points.map((p) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = p;
      const placed = p in chosen.points;
      b.className = placed ? "" : (host.selected.point ?? next) === p && view.tool === "point" ? "missing next" : "missing";
      b.title = placed ? "Select this point" : "Place this point next";
      b.setAttribute("aria-checked", host.selected.point === p);
      b.onclick = () => {
        host.select({ kind: "object", id: chosen.id, point: p });
        if (!placed) setTool("point");
      };
      return b;
    }));
  }
  // all
  const real = sheet.objects.filter((o) => !isMarker(o));
  $("count").textContent = real.length || host.proposals.length ? `${real.length}${host.proposals.length ? ` + ${host.proposals.length} proposed` : ""}` : sheet.objects.length ? "no object" : "not labelled";
  const rows = [...real.map((o) => [o, "object"]), ...host.proposals.map((p) => [p, "proposal"])];
  $("objects").replaceChildren(...rows.map(([o, kind]) => {
    const li = document.createElement("li");
    li.className = kind;
    li.dataset.id = o.id;
    li.setAttribute("aria-current", host.selected?.id === o.id);
    li.style.setProperty("--colour", kind === "object" ? host.colour(o) : "var(--quiet)");
    const pick = document.createElement("button");
    pick.type = "button";
    pick.className = "pick";
    const name = document.createElement("span"), size = document.createElement("span");
    const n = kind === "object" ? Object.keys(o.points).length : 0;
    name.textContent = kind === "proposal" ? "proposal" : (host.name(o) || (o.box ? "box" : "points")) + (o.ignore ? " (ignored)" : "");
    size.textContent = kind === "proposal" ? o.score.toFixed(2) : [n ? `${n}/${points.length}` : "", o.box ? `${Math.round(o.box[2])}×${Math.round(o.box[3])}` : ""].filter(Boolean).join(" · ");
    size.title = n ? `${n} of ${points.length} points` : "";
    pick.append(name, size);
    pick.onclick = () => {
      host.select({ kind, id: o.id });
      bringIntoSight(o.box ?? around(o));
    };
    const x = document.createElement("button");
    x.type = "button";
    x.className = "delete";
    x.title = kind === "object" ? "Delete" : "Reject";
    x.innerHTML = '<svg><use href="#i-delete"/></svg>';
    x.onclick = () => {
      host.selected = { kind, id: o.id };
      remove();
    };
    li.append(pick, x);
    return li;
  }));
  $("objects").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  // bars
  $("undo").disabled = sheet.done.length === 0;
  $("redo").disabled = sheet.undone.length === 0;
  $("none").disabled = real.length > 0;
  $("none").setAttribute("aria-checked", sheet.objects.length > 0 && real.length === 0);
  const keep = filter === "review" && reviewed?.kind === "label" && chosen;
  const proposal = host.selected?.kind === "proposal";
  $("proposed").hidden = host.proposals.length === 0 && !keep;
  $("proposed-count").textContent = keep ? `${doubt[reviewed.why]}. Is the label right?` : proposal ? `proposal, ${host.chosen().score.toFixed(2)}` : plural(host.proposals.length, "proposal");
  $("accept").textContent = keep ? "It is right" : "Accept";
  $("reject").textContent = keep ? "Delete" : "Reject";
  $("accept").hidden = $("reject").hidden = !proposal && !keep;
  $("accept-all").hidden = keep ? !reviewed.better : host.proposals.length < 2;
  $("accept-all").textContent = keep ? "Take the model's box" : "Accept all";
  $("hint").textContent = hint(chosen);
  refreshWhere();
}

function hint(chosen) {
  if (view.tool !== "point" || points.length === 0) return "";
  const left = chosen ? points.filter((p) => !(p in chosen.points)) : points;
  if (left.length === 0) return "All points of this object are placed. The next one begins a new object.";
  const next = host.selected?.point && left.includes(host.selected.point) ? host.selected.point : left[0];
  return `Place: ${next} (${points.length - left.length + 1} of ${points.length})`;
}

function refreshNumbers() {
  const box = host.chosen()?.box;
  for (const input of document.querySelectorAll("[data-side]")) {
    input.disabled = !box;
    if (document.activeElement !== input || !input.dataset.typing) input.value = box ? Math.round(box[input.dataset.side] * 100) / 100 : "";
  }
}

for (const input of document.querySelectorAll("[data-side]")) {
  input.onchange = () => {
    const o = host.correctable();
    const v = Number(input.value), side = Number(input.dataset.side);
    if (!o || !Number.isFinite(v) || (side > 1 && v < 1)) return refreshNumbers();
    sheet.change(() => {
      o.box = o.box.map((old, i) => (i === side ? v : old));
    });
  };
}
host.correctable = () => (host.selected?.kind === "object" ? host.chosen() : null);

function refreshTags(o) {
  const names = tags.filter((t) => t !== column);
  const box = $("tags");
  if (box.dataset.of !== `${names.join("\n")}`) {
    box.dataset.of = names.join("\n");
    box.replaceChildren(...names.map((t) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.dataset.tag = t;
      input.autocomplete = "off";
      input.setAttribute("list", `values-${t}`);
      const options = document.createElement("datalist");
      options.id = `values-${t}`;
      options.append(...(values.get(t) ?? []).map((v) => new Option(v, v)));
      label.append(t, input, options);
      input.onchange = () => {
        const now = host.correctable();
        if (!now) return;
        know(t, input.value);
        sheet.change(() => {
          now.tags[t] = input.value;
        });
      };
      return label;
    }));
  }
  for (const input of box.querySelectorAll("input")) if (document.activeElement !== input) input.value = o.tags[input.dataset.tag] ?? "";
}

function bringIntoSight(box) {
  if (!box) return;
  const [x, y, w, h] = view.on(box);
  if (x < 0 || y < 0 || x + w > view.width || y + h > view.height) view.look(box, 4);
}

function form(id, field, take) {
  $(id).onsubmit = (e) => {
    e.preventDefault();
    const name = $(field).value.trim();
    if (!name) return;
    $(field).value = "";
    take(name);
    $("view").focus({ preventScroll: true });
  };
}
form("new-class", "new-class-name", (name) => {
  know(column, name);
  setClass(name);
});
form("new-column", "new-column-name", (name) => {
  know(name);
  refreshColumns();
  refreshPanel();
  $("tags").querySelector(`[data-tag="${CSS.escape(name)}"]`)?.focus();
});
form("new-point", "new-point-name", (name) => {
  if (!points.includes(name)) points.push(name);
  setTool("point");
});

$("ignore").onchange = () => {
  const o = host.correctable();
  if (o) sheet.change(() => {
    o.ignore = $("ignore").checked;
  });
};

// ---- buttons

function setTool(tool) {
  view.tool = tool;
  for (const b of document.querySelectorAll("[data-tool]")) b.setAttribute("aria-checked", b.dataset.tool === tool);
  refreshPanel();
  view.draw();
}
for (const b of document.querySelectorAll("[data-tool]")) b.onclick = () => setTool(b.dataset.tool);
for (const b of document.querySelectorAll("[data-filter]")) {
  b.onclick = () => {
    filter = b.dataset.filter;
    reviewed = null;
    if (filter === "review") readReview();
    refreshList();
    $("list").scrollTop = 0;
    list.setCurrent(sheet?.picture, true);
    refreshPanel();
  };
}
$("undo").onclick = () => sheet?.undo();
$("redo").onclick = () => sheet?.redo();
$("zoom-in").onclick = () => view.zoom(1.4);
$("zoom-out").onclick = () => view.zoom(1 / 1.4);
$("fit").onclick = () => view.fit();
$("before").onclick = () => go(-1);
$("after").onclick = () => go(1);
$("accept").onclick = acceptSelected;
$("reject").onclick = remove;
$("accept-all").onclick = acceptAll;
$("help").onclick = () => $("keys").showModal();
$("show-list").onclick = () => drawer("list");
$("show-panel").onclick = () => drawer("panel");
$("none").onclick = nothingHere;

function drawer(name) {
  document.body.dataset.drawer = document.body.dataset.drawer === name ? "" : name;
  list.draw();
}

// nothingHere says that a picture has no object, or takes it back.
function nothingHere() {
  if (!image || sheet.objects.some((o) => !isMarker(o))) return;
  sheet.change(() => {
    if (sheet.objects.length > 0) sheet.objects = [];
    else sheet.create(null, {}, {});
  });
}

for (const b of document.querySelectorAll("[data-format]")) {
  b.onclick = async () => {
    $("export").open = false;
    if (sheet && !(await sheet.save())) return;
    try {
      const answer = await fetch("/api/export", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ format: b.dataset.format }) });
      const body = await answer.json();
      say(answer.ok ? `${plural(body.objects, "object")} in ${plural(body.pictures, "picture")} written to ${body.path}${body.note ? ` (${body.note})` : ""}` : body.message, answer.ok && !body.note);
    } catch {
      say("The program does not answer. Is it still running?");
    }
  };
}

// ---- keys

function newBox() {
  if (!sheet || !image) return;
  // In the middle of what is in sight.
  const x0 = Math.max(0, -view.left / view.scale), y0 = Math.max(0, -view.top / view.scale);
  const x1 = Math.min(sheet.width, (view.width - view.left) / view.scale), y1 = Math.min(sheet.height, (view.height - view.top) / view.scale);
  const side = Math.max(4, Math.round(Math.min(x1 - x0, y1 - y0) / 4));
  sheet.change(() => host.drawn([Math.round((x0 + x1 - side) / 2), Math.round((y0 + y1 - side) / 2), side, side]));
}

function arrow(e, dx, dy) {
  const o = host.correctable();
  const step = e.shiftKey ? 10 : 1;
  if (!o) {
    if (host.selected?.kind === "proposal") {
      sheet.change(() => {
        host.correct();
        const made = host.chosen();
        view.shift(made, structuredClone({ box: made.box, points: made.points }), dx * step, dy * step);
      });
    } else {
      view.pan(-dx * 60, -dy * 60);
    }
    return;
  }
  const point = host.selected.point;
  sheet.change(() => {
    if (point && point in o.points) {
      const [x, y] = o.points[point];
      o.points[point] = [Math.min(Math.max(x + dx * step, 0), sheet.width), Math.min(Math.max(y + dy * step, 0), sheet.height)];
    } else if (e.altKey && o.box) {
      const [x, y, w, h] = o.box;
      o.box = [x, y, Math.max(1, Math.min(w + dx * step, Math.max(sheet.width - x, w))), Math.max(1, Math.min(h + dy * step, Math.max(sheet.height - y, h)))];
    } else {
      view.shift(o, structuredClone({ box: o.box, points: o.points }), dx * step, dy * step);
    }
  }, `${e.altKey ? "size" : "move"} ${o.id} ${point ?? ""}`);
}

function cycle(step) {
  const all = [...sheet.objects.filter((o) => !isMarker(o)).map((o) => ["object", o]), ...host.proposals.map((p) => ["proposal", p])];
  if (all.length === 0) return;
  const i = all.findIndex(([, o]) => o.id === host.selected?.id);
  const [kind, o] = all[i < 0 ? (step > 0 ? 0 : all.length - 1) : (i + step + all.length) % all.length];
  host.select({ kind, id: o.id });
  bringIntoSight(o.box ?? around(o));
}

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

addEventListener("keydown", (e) => {
  if (!sheet || document.querySelector("dialog[open]")) return;
  const typing = e.target.closest?.("input:not([type=checkbox]), select, textarea");
  if (typing) {
    if (e.key === "Escape") $("view").focus({ preventScroll: true });
    return;
  }
  const command = e.ctrlKey || e.metaKey;
  const onButton = e.target.closest?.("button, summary, input");
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  let done = true;
  if (command && key === "z") e.shiftKey ? sheet.redo() : sheet.undo();
  else if (command && key === "y") sheet.redo();
  else if (command && key === "c") {
    const o = host.correctable();
    if (o) clipboard = structuredClone(o);
    done = Boolean(o) && !getSelection().toString();
  } else if (command && key === "v") {
    if (clipboard) {
      sheet.change(() => {
        const { box, points: p, tags: t } = structuredClone(clipboard);
        const o = sheet.create(box, p, t);
        if (sheet.objects.some((other) => other !== o && String(other.box) === String(box))) view.shift(o, structuredClone({ box, points: p }), 12, 12);
        host.selected = { kind: "object", id: o.id };
      });
    }
  } else if (command) done = false;
  else if (arrows[e.key]) arrow(e, ...arrows[e.key]);
  else if (e.altKey) done = false;
  else if (key === "b" || key === "w") setTool("box");
  else if (key === "p") setTool("point");
  else if (key === "v") setTool("select");
  else if (key === "n") newBox();
  else if (key === "j") cycle(1);
  else if (key === "k") cycle(-1);
  else if (key === "d" || key === "f" || key === "PageDown") go(1);
  else if (key === "a" || key === "PageUp") go(-1);
  else if (key === "x") nothingHere();
  else if (key === "i" && host.correctable()) sheet.change(() => (host.chosen().ignore = !host.chosen().ignore));
  else if (key >= "1" && key <= "9" && key.length === 1) {
    const name = classNames()[key - 1];
    if (name !== undefined) setClass(name);
  } else if (key === "0" || key === "Home") view.fit();
  else if (key === "+" || key === "=") view.zoom(1.4);
  else if (key === "-") view.zoom(1 / 1.4);
  else if (key === "?") $("keys").showModal();
  else if (key === "Delete" || key === "Backspace") remove();
  else if (key === "Enter" && !onButton) e.shiftKey ? acceptAll() : acceptSelected();
  else if (key === "Escape") {
    if (view.gesture) view.stop();
    else if (document.body.dataset.drawer) document.body.dataset.drawer = "";
    else host.select(null);
    view.draw();
  } else if (key === " " && !onButton) {
    view.space = true;
    $("view").style.cursor = "grab";
  } else done = false;
  if (done) e.preventDefault();
});
addEventListener("keyup", (e) => {
  if (e.key === " ") view.space = false;
});
addEventListener("blur", () => (view.space = false));

setTool("box");
start();

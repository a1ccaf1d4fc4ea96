// Follows a training: the server sends its state when that changes, and says when there
// is a new report. Only sections of the report that differ are replaced, with their
// pictures decoded before, so that nothing flickers.
"use strict";

const at = (id) => document.getElementById(id);
let shown = null; // tag of the report on the page
let wanted = null;
let busy = false;
let age = null; // seconds since the training said something, when it came
let heard = 0;
let ended = false;

function span(seconds) {
  const s = Math.round(seconds);
  if (s < 120) return `${s}s`;
  const m = Math.round(s / 60);
  return m < 120 ? `${m}m` : `${Math.floor(m / 60)}h${String(m % 60).padStart(2, "0")}m`;
}

function bytes(n) {
  return n < 2 ** 30 ? `${Math.round(n / 2 ** 20)} MiB` : `${(n / 2 ** 30).toFixed(1)} GiB`;
}

function left([low, high]) {
  if (!low && !high) return "";
  const from = span(low), to = span(high);
  return from === to || high < 1.25 * low ? to : `${from} to ${to}`;
}

// figures shows pairs of names and values, and changes only what is new.
function figures(list, pairs) {
  const names = pairs.map((p) => p[0]).join("\n");
  if (list.dataset.names !== names) {
    list.dataset.names = names;
    list.replaceChildren(...pairs.map(([name]) => {
      const pair = document.createElement("div");
      pair.append(document.createElement("dt"), document.createElement("dd"));
      pair.firstChild.textContent = name;
      return pair;
    }));
  }
  pairs.forEach(([, value], i) => {
    const dd = list.children[i].lastChild;
    if (dd.textContent !== value) dd.textContent = value;
  });
}

function state(p) {
  ended = Boolean(p.ended);
  document.title = `${ended ? "" : `${Math.floor(100 * p.done)}% `}${p.name || "Training"}`;
  at("done").value = ended ? 1 : p.done;
  let doing = `Step ${p.step}: ${p.doing || "goes on"}`;
  if (p.round) doing = `Step ${p.step}: ${p.doing}, round ${p.round}`;
  if (ended) doing = `The training ended because: ${p.ended}.`;
  if (at("doing").textContent !== doing) at("doing").textContent = doing;
  const made = p.unit === "stages" ? p.steps.length : p.weak;
  const pairs = [[p.unit, `${made} of ${p.goal}`]];
  if (p.unit === "stages") pairs.push(["weak classifiers", String(p.weak)]);
  if (p.round && !ended) pairs.push(["hit rate", p.hitRate.toFixed(4)], ["false positive rate", p.falsePositiveRate.toFixed(4)]);
  if (p.pictures && !ended) pairs.push(["pictures searched", String(p.pictures)], ["hard negatives", String(p.found)]);
  pairs.push(["time", span(p.seconds)]);
  const rest = p.left && !ended ? left(p.left) : "";
  if (rest) pairs.push(["left, about", rest]);
  pairs.push(["memory", ended || !p.memory ? `${bytes(p.peak)} at most` : `${bytes(p.memory)}${p.limit ? ` of ${bytes(p.limit)}` : ""}`]);
  figures(at("live"), pairs);
}

// pictures shows the training's picture files, which change with the report.
function pictures(names) {
  at("pictures").hidden = !names.length;
  const sheets = at("sheets");
  const key = names.map((n) => `${n.name} ${n.tag}`).join("\n");
  if (sheets.dataset.key === key) return;
  sheets.dataset.key = key;
  sheets.replaceChildren(...names.map((n) => {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const image = document.createElement("img");
    caption.textContent = n.name;
    image.loading = "lazy";
    image.alt = n.name;
    image.src = `files/${encodeURIComponent(n.name)}?${n.tag}`;
    figure.append(caption, image);
    return figure;
  }));
}

function message(m) {
  heard = Date.now();
  age = m.age ?? null;
  if (m.progress) state(m.progress);
  pictures(m.pictures || []);
  wanted = m.report || null;
  tick();
  if (wanted && wanted !== shown) report();
}

// tick says how old the news is, if that is worth a line.
function tick() {
  let text = "";
  if (age !== null && !ended) {
    const old = age + (Date.now() - heard) / 1000;
    if (old > 30) text = `The training said nothing for ${span(old)}. It may be at a long search, or have been stopped.`;
  }
  if (at("age").textContent !== text) at("age").textContent = text;
}

// The report's parts that are kept up to date, by their ids.
function parts(root) {
  return [...root.querySelectorAll("header[id], main > section[id]")];
}

async function report() {
  if (busy) return;
  busy = true;
  try {
    while (wanted && wanted !== shown) {
      const answer = await fetch("report.html", { cache: "no-cache" });
      if (!answer.ok) return;
      const tag = answer.headers.get("ETag");
      // Its style sheet is this page's too, and inline styles are not allowed here.
      const text = (await answer.text()).replace(/<style>[^]*?<\/style>/g, "");
      await renew(new DOMParser().parseFromString(text, "text/html"));
      if (shown === tag) return; // the file is older than what was announced
      shown = tag;
      document.documentElement.dataset.reports = String(Number(document.documentElement.dataset.reports || 0) + 1);
    }
  } catch {
    // The server is gone, or the file is being written: the next message tries again.
  } finally {
    busy = false;
  }
}

const texts = new Map(); // the source of each part on the page

async function renew(page) {
  const box = at("report");
  if (!box.firstChild) box.append(document.createElement("main"));
  const main = box.querySelector("main");
  const fresh = parts(page);
  const ids = new Set(fresh.map((p) => p.id));
  for (const old of parts(box)) {
    if (!ids.has(old.id)) {
      texts.delete(old.id);
      old.remove();
    }
  }
  const changes = [];
  for (const part of fresh) {
    const text = part.outerHTML;
    if (texts.get(part.id) === text && box.querySelector(`#${CSS.escape(part.id)}`)) continue;
    const copy = document.importNode(part, true);
    texts.set(part.id, text);
    changes.push(Promise.allSettled([...copy.querySelectorAll("img")].map((i) => i.decode())).then(() => copy));
  }
  for (const copy of await Promise.all(changes)) {
    const old = box.querySelector(`#${CSS.escape(copy.id)}`);
    if (old) {
      const sides = [...old.querySelectorAll(".scroll")].map((s) => s.scrollLeft);
      old.replaceWith(copy);
      copy.querySelectorAll(".scroll").forEach((s, i) => { s.scrollLeft = sides[i] || 0; });
    } else if (copy.tagName === "HEADER") {
      box.prepend(copy);
    } else {
      main.append(copy);
    }
  }
  // In the order of the report.
  const order = fresh.filter((p) => p.tagName !== "HEADER").map((p) => p.id);
  const now = [...main.children].map((p) => p.id);
  if (now.join() !== order.join()) main.append(...order.map((id) => main.querySelector(`#${CSS.escape(id)}`)));
}

const events = new EventSource("events");
events.onmessage = (e) => message(JSON.parse(e.data));
setInterval(tick, 5000);

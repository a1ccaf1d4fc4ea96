// The view draws a picture with its labels, and turns what a pointer does into
// changes of a sheet.

export const handles = [[0, 0], [0.5, 0], [1, 0], [1, 0.5], [1, 1], [0.5, 1], [0, 1], [0, 0.5]];
const cursors = ["nwse", "ns", "nesw", "ew", "nwse", "ns", "nesw", "ew"];
const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);
const smallest = 3; // pixels a side of a drawn box

export function normal([x, y, w, h]) {
  return [w < 0 ? x + w : x, h < 0 ? y + h : y, Math.abs(w), Math.abs(h)];
}

export class View {
  // host knows the sheet, what is proposed, what is selected, and the colours.
  constructor(canvas, host) {
    this.canvas = canvas;
    this.host = host;
    this.context = canvas.getContext("2d");
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    this.tool = "box";
    this.pointers = new Map();
    this.hover = null;
    new ResizeObserver(() => this.resized()).observe(canvas);
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.up(e, true));
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.draw();
    });
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  show(image) {
    this.image = image;
    this.gesture = null;
    this.fit();
  }

  resized() {
    const { width, height } = this.canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    const was = this.fitted;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    if (was) this.fit();
    this.draw();
  }

  least() {
    const s = this.host.sheet;
    return s ? Math.min((this.width - 24) / s.width, (this.height - 24) / s.height) : 1;
  }

  fit() {
    const s = this.host.sheet;
    if (!s || !this.width) return;
    this.scale = clamp(this.least(), 0.001, 16);
    this.left = (this.width - s.width * this.scale) / 2;
    this.top = (this.height - s.height * this.scale) / 2;
    this.fitted = true;
    this.draw();
  }

  // look shows a box with so much around it.
  look([x, y, w, h], around = 2.5) {
    const side = Math.max(w, h, 16) * around;
    this.scale = clamp(Math.min(this.width, this.height) / side, Math.min(this.least(), 1), 16);
    this.left = this.width / 2 - (x + w / 2) * this.scale;
    this.top = this.height / 2 - (y + h / 2) * this.scale;
    this.fitted = false;
    this.keep();
    this.draw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    if (!this.host.sheet) return;
    const to = clamp(this.scale * factor, Math.min(this.least(), 1) * 0.5, 64);
    this.left = x - ((x - this.left) * to) / this.scale;
    this.top = y - ((y - this.top) * to) / this.scale;
    this.scale = to;
    this.fitted = false;
    this.keep();
    this.draw();
  }

  pan(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.fitted = false;
    this.keep();
    this.draw();
  }

  // keep leaves a part of the picture in sight.
  keep() {
    const s = this.host.sheet, edge = 60;
    this.left = clamp(this.left, edge - s.width * this.scale, this.width - edge);
    this.top = clamp(this.top, edge - s.height * this.scale, this.height - edge);
  }

  at(e) {
    const r = this.canvas.getBoundingClientRect();
    const x = e.clientX - r.left, y = e.clientY - r.top;
    return { x, y, px: (x - this.left) / this.scale, py: (y - this.top) / this.scale };
  }

  wheel(e) {
    e.preventDefault();
    const p = this.at(e);
    if (e.shiftKey) this.pan(-(e.deltaY || e.deltaX), 0);
    else this.zoom(Math.exp(-clamp(e.deltaY * (e.deltaMode ? 16 : 1), -240, 240) * (e.ctrlKey ? 0.01 : 0.0022)), p.x, p.y);
  }

  // boxes are all that can be selected.
  boxes() {
    const objects = this.host.sheet.objects.filter((o) => o.box).map((o) => ({ id: o.id, kind: "object", box: o.box }));
    return objects.concat(this.host.proposals.map((p) => ({ id: p.id, kind: "proposal", box: p.box })));
  }

  // hit returns what is at a place: a handle of the selected box, a point, a box.
  hit(p, touch) {
    const near = (touch ? 22 : 9) / this.scale;
    const sheet = this.host.sheet, chosen = this.host.chosen();
    if (chosen?.box && this.tool !== "point") {
      const [x, y, w, h] = chosen.box;
      let best = null;
      handles.forEach(([u, v], i) => {
        const d = Math.hypot(p.px - (x + u * w), p.py - (y + v * h));
        // On a small box leave its middle for moving it.
        const inside = p.px > x && p.px < x + w && p.py > y && p.py < y + h;
        const reach = inside ? Math.min(near, Math.min(w, h) / 4) : near;
        if (d <= reach && (!best || d < best.d)) best = { kind: "handle", index: i, d };
      });
      if (best) return best;
    }
    let point = null;
    for (const o of sheet.objects) {
      for (const [name, [x, y]] of Object.entries(o.points)) {
        const d = Math.hypot(p.px - x, p.py - y);
        if (d <= near && (!point || d < point.d)) point = { kind: "point", id: o.id, name, d };
      }
    }
    if (point) return point;
    const margin = (touch ? 10 : 3) / this.scale;
    const inside = this.boxes()
      .filter(({ box: [x, y, w, h] }) => p.px >= x - margin && p.px <= x + w + margin && p.py >= y - margin && p.py <= y + h + margin)
      .sort((a, b) => a.box[2] * a.box[3] - b.box[2] * b.box[3]);
    return inside.length ? { ...inside[0], all: inside } : null;
  }

  inChosen(p) {
    const b = this.host.chosen()?.box;
    return b && p.px >= b[0] && p.px <= b[0] + b[2] && p.py >= b[1] && p.py <= b[1] + b[3];
  }

  down(e) {
    if (!this.image || (e.pointerType === "mouse" && e.button > 1)) return;
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(e.pointerId);
    const p = this.at(e), touch = e.pointerType === "touch";
    this.pointers.set(e.pointerId, p);
    this.touched = touch;
    if (this.pointers.size > 1) {
      this.stop();
      this.gesture = { kind: "pinch", ...this.pinch() };
      return;
    }
    this.host.pressed?.();
    const hit = this.hit(p, touch);
    if (e.button === 1 || this.space) {
      this.gesture = { kind: "pan", p };
    } else if (hit?.kind === "handle" || (this.tool !== "point" && hit?.kind !== "point" && this.inChosen(p))) {
      this.gesture = { kind: hit?.kind === "handle" ? "resize" : "drag", index: hit?.index, p, hit, moved: false };
    } else if (hit?.kind === "point" && (this.tool !== "box" || this.host.selected?.id === hit.id)) {
      this.host.select({ kind: "object", id: hit.id, point: hit.name });
      this.host.sheet.begin();
      this.gesture = { kind: "point", id: hit.id, name: hit.name, p };
    } else if (this.tool === "point") {
      this.host.sheet.begin();
      const placed = this.host.place(clamp(p.px, 0, this.host.sheet.width), clamp(p.py, 0, this.host.sheet.height));
      if (placed) this.gesture = { kind: "point", ...placed, p };
      else this.host.sheet.cancel();
    } else if (this.tool === "select") {
      if (hit) {
        this.host.select({ kind: hit.kind === "point" ? "object" : hit.kind, id: hit.id, point: hit.name });
        this.gesture = { kind: "drag", p, hit, moved: false };
      } else {
        this.gesture = { kind: "pan", p, click: true };
      }
    } else {
      this.gesture = { kind: "draw", p, hit, moved: false };
    }
    this.draw();
  }

  // stop takes back what a gesture has done so far.
  stop() {
    if (["draw", "drag", "resize", "point"].includes(this.gesture?.kind)) this.host.sheet.cancel();
    this.gesture = null;
  }

  pinch() {
    const [a, b] = [...this.pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, d: Math.max(8, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  move(e) {
    const sheet = this.host.sheet;
    if (!sheet) return;
    const p = this.at(e), g = this.gesture;
    if (this.pointers.has(e.pointerId)) this.pointers.set(e.pointerId, p);
    this.hover = e.pointerType === "touch" && !g ? null : p;
    if (!g) {
      this.cursor(p);
      this.draw();
      return;
    }
    if (g.kind === "pinch") {
      if (this.pointers.size < 2) return;
      const now = this.pinch();
      this.pan(now.x - g.x, now.y - g.y);
      this.zoom(now.d / g.d, now.x, now.y);
      Object.assign(g, now);
      return;
    }
    if (g.kind === "pan") {
      this.pan(p.x - g.p.x, p.y - g.p.y);
      if (Math.hypot(p.x - g.p.x, p.y - g.p.y) > 3) g.click = false;
      g.p = p;
      return;
    }
    if (g.kind === "point") {
      sheet.object(g.id).points[g.name] = [this.round(clamp(p.px, 0, sheet.width)), this.round(clamp(p.py, 0, sheet.height))];
      this.draw();
      return;
    }
    if (!g.moved && Math.hypot(p.x - g.p.x, p.y - g.p.y) < (e.pointerType === "touch" ? 8 : 4)) return;
    if (!g.moved) {
      g.moved = true;
      sheet.begin();
      if (g.kind === "draw") {
        g.id = this.host.drawn([Math.round(g.p.px), Math.round(g.p.py), 1, 1]);
      } else {
        g.id = this.host.correct(); // of a proposal, an object is made first
      }
      const o = sheet.object(g.id);
      g.box = o.box && [...o.box];
      g.points = structuredClone(o.points);
    }
    const o = sheet.object(g.id);
    if (g.kind === "draw") {
      const x = clamp(g.p.px, 0, sheet.width), y = clamp(g.p.py, 0, sheet.height);
      o.box = this.corners(x, y, clamp(p.px, 0, sheet.width), clamp(p.py, 0, sheet.height));
    } else if (g.kind === "resize") {
      let [x0, y0, x1, y1] = [g.box[0], g.box[1], g.box[0] + g.box[2], g.box[1] + g.box[3]];
      const [u, v] = handles[g.index];
      const dx = p.px - g.p.px, dy = p.py - g.p.py;
      if (u === 0) x0 = clamp(x0 + dx, 0, sheet.width);
      if (u === 1) x1 = clamp(x1 + dx, 0, sheet.width);
      if (v === 0) y0 = clamp(y0 + dy, 0, sheet.height);
      if (v === 1) y1 = clamp(y1 + dy, 0, sheet.height);
      o.box = this.corners(x0, y0, x1, y1, u === 0.5, v === 0.5);
    } else {
      this.shift(o, g, p.px - g.p.px, p.py - g.p.py);
    }
    this.draw();
    this.host.moved?.();
  }

  // corners makes a box of whole pixels; what is kept stays as it is.
  corners(x0, y0, x1, y1, keepX, keepY) {
    const r = (v, keep) => (keep ? v : Math.round(v));
    const b = normal([r(x0, keepX), r(y0, keepY), r(x1, keepX) - r(x0, keepX), r(y1, keepY) - r(y0, keepY)]);
    return [b[0], b[1], Math.max(1, b[2]), Math.max(1, b[3])];
  }

  round(v) {
    return Math.round(v * 2) / 2;
  }

  // shift moves an object from where a gesture found it, by whole pixels, within the
  // picture.
  shift(o, from, dx, dy) {
    const s = this.host.sheet;
    dx = Math.round(dx);
    dy = Math.round(dy);
    if (from.box) {
      const [x, y, w, h] = from.box;
      dx = clamp(dx, Math.min(-x, 0), Math.max(s.width - x - w, 0));
      dy = clamp(dy, Math.min(-y, 0), Math.max(s.height - y - h, 0));
      o.box = [x + dx, y + dy, w, h];
    }
    for (const [name, [x, y]] of Object.entries(from.points)) o.points[name] = [x + dx, y + dy];
  }

  up(e, cancelled) {
    this.pointers.delete(e.pointerId);
    const g = this.gesture, sheet = this.host.sheet;
    if (!g || !sheet) return;
    if (g.kind === "pinch") {
      if (this.pointers.size === 0) this.gesture = null;
      return;
    }
    this.gesture = null;
    if (g.kind === "pan") {
      if (g.click) this.host.select(null);
      this.draw();
      return;
    }
    if (cancelled) {
      sheet.cancel();
      return;
    }
    if (g.kind === "point") {
      sheet.end();
      return;
    }
    if (!g.moved) {
      this.click(g);
    } else if (g.kind === "draw" && (sheet.object(g.id).box[2] < smallest || sheet.object(g.id).box[3] < smallest)) {
      sheet.cancel();
      this.host.select(null);
    } else {
      sheet.end();
    }
    this.draw();
  }

  // click selects; on what is selected already, the next of those that lie there.
  click(g) {
    if (g.kind === "resize") return;
    const hit = this.hit(g.p, this.touched);
    if (hit?.kind === "point") {
      this.host.select({ kind: "object", id: hit.id, point: hit.name });
    } else if (hit?.all) {
      const i = hit.all.findIndex((b) => b.id === this.host.selected?.id);
      const next = hit.all[(i + 1) % hit.all.length];
      this.host.select({ kind: next.kind, id: next.id });
    } else if (g.kind === "draw") {
      this.host.select(null);
    }
  }

  cursor(p) {
    const hit = this.hit(p, false);
    let c = "crosshair";
    if (this.space) c = "grab";
    else if (hit?.kind === "handle") c = cursors[hit.index] + "-resize";
    else if (hit?.kind === "point") c = "move";
    else if (this.tool !== "point" && this.inChosen(p)) c = "move";
    else if (this.tool === "select") c = hit ? "pointer" : "grab";
    this.canvas.style.cursor = c;
  }

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.paint();
    });
  }

  paint() {
    const c = this.context, s = this.host.sheet, ratio = devicePixelRatio || 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    if (!s || !this.image) return;
    this.canvas.dataset.view = JSON.stringify({ scale: this.scale, left: this.left, top: this.top, picture: s.picture });
    c.imageSmoothingEnabled = this.scale < 3;
    c.imageSmoothingQuality = "high";
    c.drawImage(this.image, this.left, this.top, s.width * this.scale, s.height * this.scale);
    for (const p of this.host.proposals) this.box(p.box, this.host.proposalColour, { dashed: true, score: p.score, chosen: this.host.selected?.id === p.id });
    const chosen = this.host.selected?.kind === "object" ? this.host.selected.id : 0;
    for (const o of s.objects) if (o.id !== chosen) this.object(o, false);
    const o = chosen && s.object(chosen);
    if (o) this.object(o, true);
    else if (this.host.chosen()?.box) this.grips(this.host.chosen().box, this.host.proposalColour);
    if (this.hover && !this.gesture && this.tool === "box" && !this.space && !this.touched) this.cross(this.hover);
    if (this.gesture && this.touched && this.hover && ["draw", "resize", "point"].includes(this.gesture.kind)) this.loupe(this.hover);
    this.host.painted?.();
  }

  object(o, chosen) {
    const colour = this.host.colour(o);
    const hovered = !chosen && this.hover && o.box && !this.gesture && this.over(o.box);
    if (o.box) this.box(o.box, colour, { chosen, ignored: o.ignore, text: this.host.name(o), hovered });
    this.dots(o, colour, chosen);
    if (chosen && o.box && this.tool !== "point") this.grips(o.box, colour);
  }

  over([x, y, w, h]) {
    const p = this.hover;
    return p.px >= x && p.px <= x + w && p.py >= y && p.py <= y + h;
  }

  on([x, y, w, h]) {
    return [this.left + x * this.scale, this.top + y * this.scale, w * this.scale, h * this.scale];
  }

  box(box, colour, { chosen, dashed, ignored, score, text, hovered }) {
    const c = this.context, [x, y, w, h] = this.on(box);
    if (x > this.width || y > this.height || x + w < 0 || y + h < 0) return;
    const thick = chosen ? 2.5 : 1.75;
    c.fillStyle = colour;
    c.globalAlpha = chosen ? 0.16 : hovered ? 0.14 : dashed ? 0.04 : 0.07;
    c.fillRect(x, y, w, h);
    c.globalAlpha = 1;
    if (ignored) this.hatch(x, y, w, h, colour);
    c.lineWidth = thick + 2;
    c.strokeStyle = "rgb(0 0 0 / 0.45)";
    c.strokeRect(x, y, w, h);
    c.lineWidth = thick;
    c.strokeStyle = colour;
    c.setLineDash(dashed ? [7, 4] : []);
    c.strokeRect(x, y, w, h);
    c.setLineDash([]);
    const label = dashed ? score.toFixed(score < 10 ? 2 : 0) : text;
    if (label && (chosen || hovered || w > 46)) this.chip(label, x, y, w, colour, chosen);
  }

  hatch(x, y, w, h, colour) {
    const c = this.context;
    c.save();
    c.beginPath();
    c.rect(x, y, w, h);
    c.clip();
    c.globalAlpha = 0.55;
    c.strokeStyle = colour;
    c.lineWidth = 1;
    c.beginPath();
    for (let d = 10; d < Math.min(w + h, 6000); d += 10) {
      c.moveTo(x + d, y);
      c.lineTo(x + d - h, y + h);
    }
    c.stroke();
    c.restore();
  }

  chip(text, x, y, w, colour, chosen) {
    const c = this.context;
    c.font = `${chosen ? 600 : 500} 12px system-ui, sans-serif`;
    const most = Math.max(w, chosen ? 160 : 46);
    if (c.measureText(text).width + 10 > most) {
      while (text.length > 1 && c.measureText(text + "…").width + 10 > most) text = text.slice(0, -1);
      text += "…";
    }
    const width = c.measureText(text).width + 10;
    const top = y - 18 < 0 ? y : y - 18;
    c.fillStyle = colour;
    c.beginPath();
    c.roundRect(x - 1, top, width, 18, 3);
    c.fill();
    c.fillStyle = "#07130c";
    c.textBaseline = "middle";
    c.fillText(text, x + 4, top + 9.5);
  }

  grips(box, colour) {
    const c = this.context, [x, y, w, h] = this.on(box), r = this.touched ? 7 : 4.5;
    for (const [i, [u, v]] of handles.entries()) {
      if (i % 2 && Math.min(w, h) < 36) continue;
      c.beginPath();
      c.roundRect(x + u * w - r, y + v * h - r, 2 * r, 2 * r, 2);
      c.fillStyle = "#fff";
      c.fill();
      c.lineWidth = 1.5;
      c.strokeStyle = "#0b1510";
      c.stroke();
    }
  }

  dots(o, colour, chosen) {
    const c = this.context;
    for (const [name, [px, py]] of Object.entries(o.points)) {
      const x = this.left + px * this.scale, y = this.top + py * this.scale;
      const own = chosen && this.host.selected.point === name;
      c.beginPath();
      c.arc(x, y, own ? 6 : chosen ? 4.5 : 3.5, 0, 7);
      c.fillStyle = own ? "#fff" : colour;
      c.fill();
      c.lineWidth = 1.5;
      c.strokeStyle = own ? colour : "rgb(0 0 0 / 0.7)";
      c.stroke();
      if (chosen && (own || this.scale > 1.5)) {
        c.font = "11px system-ui, sans-serif";
        c.textBaseline = "middle";
        c.lineWidth = 3;
        c.strokeStyle = "rgb(0 0 0 / 0.65)";
        c.strokeText(name, x + 9, y);
        c.fillStyle = "#fff";
        c.fillText(name, x + 9, y);
      }
    }
  }

  cross({ x, y, px, py }) {
    const s = this.host.sheet, c = this.context;
    if (px < 0 || py < 0 || px > s.width || py > s.height) return;
    c.beginPath();
    c.moveTo(x, this.top);
    c.lineTo(x, this.top + s.height * this.scale);
    c.moveTo(this.left, y);
    c.lineTo(this.left + s.width * this.scale, y);
    c.lineWidth = 1;
    c.strokeStyle = "rgb(0 0 0 / 0.5)";
    c.stroke();
    c.setLineDash([4, 4]);
    c.strokeStyle = "rgb(255 255 255 / 0.85)";
    c.stroke();
    c.setLineDash([]);
  }

  // loupe shows what a finger hides.
  loupe({ x, y, px, py }) {
    const c = this.context, r = 58, zoom = Math.max(this.scale * 2.5, 3);
    const cx = x < this.width / 2 ? this.width - r - 14 : r + 14, cy = r + 14;
    c.save();
    c.beginPath();
    c.arc(cx, cy, r, 0, 7);
    c.fillStyle = "#0a0f0c";
    c.fill();
    c.clip();
    const s = this.host.sheet;
    c.imageSmoothingEnabled = false;
    c.drawImage(this.image, cx - px * zoom, cy - py * zoom, s.width * zoom, s.height * zoom);
    const o = this.gesture.id && s.object(this.gesture.id);
    if (o?.box) {
      c.strokeStyle = this.host.colour(o);
      c.lineWidth = 2;
      c.strokeRect(cx + (o.box[0] - px) * zoom, cy + (o.box[1] - py) * zoom, o.box[2] * zoom, o.box[3] * zoom);
    }
    c.strokeStyle = "#fff";
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(cx - 8, cy);
    c.lineTo(cx + 8, cy);
    c.moveTo(cx, cy - 8);
    c.lineTo(cx, cy + 8);
    c.stroke();
    c.restore();
    c.beginPath();
    c.arc(cx, cy, r, 0, 7);
    c.strokeStyle = "#fff";
    c.lineWidth = 2;
    c.stroke();
  }
}

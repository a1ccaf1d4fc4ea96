// A sheet is one picture and its labels: what is undone, and what is saved.

let nextID = 1;
const copy = (v) => structuredClone(v);
export const isMarker = (o) => !o.box && Object.keys(o.points).length === 0;

export class Sheet {
  // changed is called after every change, saved with a state and a text.
  constructor(answer, { changed, saved, conflict }) {
    this.changed = changed;
    this.saved = saved;
    this.conflict = conflict;
    this.undone = [];
    this.done = [];
    this.dirty = false;
    this.load(answer);
  }

  load(answer) {
    this.picture = answer.picture;
    this.width = answer.width;
    this.height = answer.height;
    this.version = answer.version;
    this.lines = new Map(); // where objects and decisions stand in the files, by id
    this.tags ??= new Set(); // all names of tags that were here at any time
    const take = ({ line, ...rest }) => {
      const o = { id: nextID++, ...rest };
      this.lines.set(o.id, line);
      return o;
    };
    this.objects = answer.objects.map(take);
    this.decisions = answer.decisions.map(take);
    this.undone = [];
    this.done = [];
    this.meet();
  }

  // meet takes note of tags. What an object lacks of them is removed from its line.
  meet() {
    for (const o of this.objects) for (const name of Object.keys(o.tags)) this.tags.add(name);
  }

  object(id) {
    return this.objects.find((o) => o.id === id);
  }

  create(box, points, tags) {
    const o = { id: nextID++, box, points, ignore: false, tags: { ...tags } };
    this.objects.push(o);
    return o;
  }

  // remove deletes an object. After the last one a line stays: the picture has been
  // looked at, and what other columns say about it is kept.
  remove(id, column) {
    const o = this.object(id);
    this.objects = this.objects.filter((other) => other !== o);
    if (this.objects.length > 0) return;
    const marker = this.create(null, {}, { ...o.tags, [column]: "" });
    if (this.lines.has(id)) this.lines.set(marker.id, this.lines.get(id));
  }

  // begin and end frame a change; cancel takes it back.
  begin() {
    this.before = { objects: copy(this.objects), decisions: copy(this.decisions) };
  }

  cancel() {
    if (this.before) {
      Object.assign(this, this.before);
      this.before = null;
    }
    this.changed();
  }

  // end records the change. Changes with the same merge, one right after the other, are
  // undone together.
  end(merge = "") {
    const before = this.before;
    this.before = null;
    if (!before || JSON.stringify(before) === JSON.stringify({ objects: this.objects, decisions: this.decisions })) {
      this.changed();
      return;
    }
    const now = performance.now();
    const last = this.done.at(-1);
    if (!(merge && last && last.merge === merge && now - last.at < 1200)) {
      this.done.push({ state: before, merge, at: now });
    } else {
      last.at = now;
    }
    this.undone = [];
    this.touch();
  }

  change(what, merge) {
    this.begin();
    what();
    this.end(merge);
  }

  undo() {
    this.step(this.done, this.undone);
  }

  redo() {
    this.step(this.undone, this.done);
  }

  step(from, to) {
    const s = from.pop();
    if (!s) return;
    to.push({ state: { objects: this.objects, decisions: this.decisions }, merge: "", at: 0 });
    Object.assign(this, copy(s.state));
    this.touch();
  }

  touch() {
    const real = this.objects.filter((o) => !isMarker(o));
    const markers = this.objects.filter(isMarker);
    if (real.length && markers.length) {
      // The line that said "no object" becomes that of one, with what else it says.
      const fresh = real.find((o) => !this.lines.has(o.id));
      if (fresh) {
        fresh.tags = { ...markers[0].tags, ...fresh.tags };
        if (this.lines.has(markers[0].id)) this.lines.set(fresh.id, this.lines.get(markers[0].id));
      }
      this.objects = real;
    }
    this.dirty = true;
    this.saved("changed", "Not saved yet");
    this.changed();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 300);
  }

  // save writes what has changed, and returns whether all is on the disk.
  save() {
    clearTimeout(this.timer);
    if (this.saving) return this.saving.then(() => this.save());
    if (!this.dirty) return Promise.resolve(true);
    this.saving = this.send().finally(() => {
      this.saving = null;
    });
    return this.saving.then((ok) => (ok && this.dirty ? this.save() : ok));
  }

  async send() {
    this.dirty = false;
    this.saved("saving", "Saving…");
    const line = (o) => this.lines.get(o.id) ?? -1;
    this.meet();
    const all = Object.fromEntries([...this.tags].map((name) => [name, ""]));
    const objects = this.objects.map(({ id, ...o }) => ({ line: line({ id }), ...o, tags: { ...all, ...o.tags } }));
    const ids = this.objects.map((o) => o.id);
    const decisions = this.decisions.map(({ id, ...d }) => ({ line: line({ id }), ...d }));
    const decisionIDs = this.decisions.map((d) => d.id);
    let answer, body;
    try {
      answer = await fetch(`/api/labels?picture=${encodeURIComponent(this.picture)}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ picture: this.picture, version: this.version, objects, decisions }),
      });
      body = await answer.json();
    } catch {
      body = { message: "the program does not answer: is it still running?" };
    }
    if (answer?.ok) {
      this.version = body.version;
      this.lines = new Map();
      ids.forEach((id, i) => this.lines.set(id, body.lines[i]));
      decisionIDs.forEach((id, i) => this.lines.set(id, (body.decisions ?? [])[i]));
      if (!this.dirty) this.saved("saved", "Saved", body.edition);
      return true;
    }
    this.dirty = true;
    if (body.code === "conflict") {
      const choice = await this.conflict();
      this.resolve(choice, body.current);
      return true; // save goes on if there is something to save
    }
    this.saved("failed", body.message);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 3000);
    return false;
  }

  // resolve ends a conflict: with what is on the disk, with what is here, or with both.
  resolve(choice, current) {
    const mine = this.objects, decided = this.decisions;
    const same = (a, b) => JSON.stringify([a.box, Object.entries(a.points ?? {}).sort()]) === JSON.stringify([b.box, Object.entries(b.points ?? {}).sort()]);
    this.load(current);
    this.dirty = choice !== "theirs";
    if (choice === "theirs") {
      this.saved("saved", "Saved");
      this.changed();
      return;
    }
    const lines = this.lines;
    const join = (theirs, ours) => {
      const left = [...theirs];
      const out = ours.map((o) => {
        const i = left.findIndex((t) => same(t, o));
        if (i < 0) return o;
        const [t] = left.splice(i, 1);
        lines.set(o.id, lines.get(t.id));
        return o;
      });
      return choice === "both" ? [...out, ...left] : out;
    };
    for (const o of [...mine, ...decided]) lines.delete(o.id);
    this.objects = join(this.objects, mine);
    this.decisions = join(this.decisions, decided);
    this.changed();
  }
}

// Run in a folder where the packed package is installed, with what found.go wrote there.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Detector, models } from "haarlem";
import { load } from "haarlem/opencv";
import stock from "./node_modules/haarlem/stock.js";

const found = JSON.parse(await readFile("found.json"));
const picture = async ({ Name, Width, Height }) => ({ data: new Uint8Array(await readFile(`${Name}.rgba`)), width: Width, height: Height });
const rectangles = (list) => list.map(({ x, y, width, height }) => [x, y, x + width, y + height].join());
const go = (list) => (list ?? []).map(({ Min, Max }) => [Min.X, Min.Y, Max.X, Max.Y].join());

test("the detector finds what Go's finds", async () => {
  assert.ok((await models()).includes("face"));
  const detector = await Detector.create();
  assert.equal(detector.info.object, "face");
  for (const f of found) {
    const faces = detector.detect(await picture(f));
    assert.deepEqual(faces.map((d) => d.score), (f.Faces ?? []).map((d) => d.Score));
    assert.deepEqual(faces.map((d) => [d.x, d.y, d.x + d.width, d.y + d.height]), (f.Faces ?? []).map(({ Box: { Min, Max } }) => [Min.X, Min.Y, Max.X, Max.Y]));
  }
  assert.ok(found.reduce((n, f) => n + (f.Faces ?? []).length, 0) > 10);
});

test("points and tracks", async () => {
  const detector = await Detector.create({ model: "face-fast", points: true });
  const group = await picture(found[0]);
  assert.equal(detector.detect(group)[0].points.length, 5);
  let last;
  for (let at = 0; at < 200; at += 40) last = detector.track(group, at, { minSize: 60 });
  assert.ok(last.length > 5 && last.every((d) => d.track > 0 && !d.predicted));
  assert.equal(new Set(last.map((d) => d.track)).size, last.length);
});

test("OpenCV's names", async () => {
  const cv = await load({ "mine.xml": await readFile("mine.xml") });
  const none = new cv.CascadeClassifier();
  assert.equal(none.load("none.xml"), false);
  for (const name of Object.keys(stock)) assert.ok(new cv.CascadeClassifier().load(`/data/${name}`), name);
  const eye = new cv.CascadeClassifier(), eyes = new cv.RectVector();
  eye.load("haarcascade_eye.xml");
  eye.detectMultiScale(await picture(found[0]), eyes);
  assert.ok(eyes.size() > 5, `${eyes.size()} eyes`);
  for (const name of ["/mine.xml", "haarcascade_frontalface_default.xml"]) {
    const classifier = new cv.CascadeClassifier();
    assert.ok(classifier.load(name));
    let total = 0, windows = 0;
    for (const f of found) {
      const faces = new cv.RectVector();
      classifier.detectMultiScale(await picture(f), faces, 1.2, 0, 0, new cv.Size(30, 40), new cv.Size(90, 100));
      assert.deepEqual(rectangles(Array.from({ length: faces.size() }, (_, i) => faces.get(i))), go(f.Bounded));
      windows += faces.size();
      classifier.detectMultiScale(await picture(f), faces, 1.1, 3, 0);
      assert.deepEqual(rectangles(Array.from({ length: faces.size() }, (_, i) => faces.get(i))), go(f.OpenCV));
      total += faces.size();
    }
    assert.ok(total > 5 && windows > total, `${total} faces, ${windows} windows`);
    assert.throws(() => classifier.detectMultiScale(null, null, 1), /scaleFactor/);
  }
});

test("errors", async () => {
  await assert.rejects(Detector.create({ model: "none" }), /there is no model none/);
  await assert.rejects(Detector.create({ model: new Uint8Array(10) }), /haarlem/);
  const detector = await Detector.create();
  assert.throws(() => detector.detect({ data: new Uint8Array(3), width: 1, height: 1 }), /pixels/);
});

// Prints what the exported tracker makes of films, a list of numbers in JSON: see track.c.
import { readFileSync } from "node:fs";
const [module, films] = process.argv.slice(2);
const { Tracker } = await import(module);
const all = JSON.parse(readFileSync(films));
const lines = [];
for (let at = 0, film = 0; at < all.length; film++) {
  const [strong, hits, misses, memory, width, height, frames] = all.slice(at, (at += 7));
  const tracker = new Tracker({ strong, hits, misses, memory, width, height });
  for (let frame = 0; frame < frames; frame++) {
    const [time, n] = all.slice(at, (at += 2)), objects = [];
    for (let i = 0; i < n; i++) {
      const [x, y, width, height, score] = all.slice(at, (at += 5));
      objects.push({ x, y, width, height, score });
    }
    lines.push([film, frame, ...tracker.update(time, objects)].join(" "));
    for (const t of tracker.tracks(time + 40)) {
      lines.push([t.number, t.x, t.y, t.width, t.height, t.hits, t.misses, t.score, t.first, t.seen].join(" "));
    }
  }
}
console.log(lines.join("\n"));

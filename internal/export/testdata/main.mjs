// Prints what the exported cascade finds: see main.c. Scores are multiplied by the unit
// given, and pictures come from a file: width and height in text, then pixels.
import { readFileSync } from "node:fs";
const [module, pictures, unit] = process.argv.slice(2);
const { find, group } = await import(module);
const bytes = readFileSync(pictures);
const lines = [], objects = [];
for (let at = 0, i = 0; at < bytes.length; i++) {
  const end = bytes.indexOf(10, at);
  const [width, height] = bytes.subarray(at, end).toString().split(" ").map(Number);
  const grey = new Uint8Array(bytes.subarray(end + 1, end + 1 + width * height));
  at = end + 1 + width * height;
  const found = find(grey, width, height);
  for (const neighbors of [1, 3]) {
    for (const o of group(found, width, height, neighbors)) {
      objects.push(`${i} ${neighbors} ${o.x} ${o.y} ${o.width} ${o.height} ${o.windows} ${o.score * 2 ** Number(unit)}\n`);
    }
  }
  for (const f of found) {
    const score = BigInt(f.score * 2 ** Number(unit)).toString(16).padStart(16, "0");
    lines.push(`${i} ${f.x} ${f.y} ${f.width} ${f.height} ${score}`);
  }
}
lines.push("end\n");
process.stdout.write(lines.join("\n") + objects.join(""));

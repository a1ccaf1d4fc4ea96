// The same as main.go, with the types that are generated for TypeScript.
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

const [address, file] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: address });
const picture = new Blob([await readFile(file)]);

const found = await client.POST("/detect", {
  params: { query: { "min-size": "60", points: "face5" } },
  body: picture as never,
  bodySerializer: (b) => b,
  headers: { "Content-Type": "image/png" },
});
if (!found.data || typeof found.data === "string") throw new Error(JSON.stringify(found.error));
const faces = found.data[0]!.faces;
console.log(`TypeScript: ${faces.length} faces, the first ${faces[0]!.width} pixels wide with ${faces[0]!.points!.length} points`);

const wrong = await client.POST("/detect", {
  params: { query: { "min-size": "-1" } },
  body: picture as never,
  bodySerializer: (b) => b,
  headers: { "Content-Type": "image/png" },
});
if (wrong.error?.code !== "option") throw new Error(JSON.stringify(wrong));

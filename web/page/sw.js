// The service worker keeps the page, so that it works without a network. It
// answers from what it keeps; a new edition of the page is a new sw.js, which
// browsers look for by themselves.
"use strict";

const edition = "haarlem-" + "@EDITION@";
const files = ["@FILES@"];

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(edition);
    await cache.addAll(files.map((f) => new Request(f, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("haarlem-") && name !== edition) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith((async () => {
    const kept = await (await caches.open(edition)).match(event.request, { ignoreSearch: true });
    return kept || fetch(event.request);
  })());
});

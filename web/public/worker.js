/** Shows a page of its own when the house can't be reached; nothing else is ever taken from the cache. */
const KEPT = 'pitboss-offline-1'
const FILES = ['/offline.html', '/offline.css', '/icon.svg']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
  event.waitUntil(old.then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const isKept = FILES.includes(new URL(request.url).pathname)
  if (request.mode !== 'navigate' && !isKept) return
  event.respondWith(fetch(request).catch(() => caches.match(isKept ? request : '/offline.html')))
})

// Shows the app when a page cannot be loaded. It stores only public files of the app, never a response of the API or an
// upload. See docs/decisions/050-offline-and-service-worker.md.

/**
 * TypeScript has these types only in its `webworker` library, which conflicts with its `dom` library.
 *
 * @typedef {object} WorkerScope
 * @property {Location} location
 * @property {{ claim: () => Promise<void> }} clients
 * @property {() => Promise<void>} skipWaiting
 * @property {(type: string, listener: (event: WorkerEvent) => void) => void} addEventListener
 *
 * @typedef {object} WorkerEvent
 * @property {Request} request
 * @property {string[]} data
 * @property {(work: Promise<unknown>) => void} waitUntil
 * @property {(response: Promise<Response>) => void} respondWith
 */
const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self))

/** Each build has its own cache: the build replaces the second part of the name. */
const cacheName = 'ovation-__BUILD__'
/** The entry script of this build's page. */
const entry = '/__ENTRY__'
const pageUrl = '/'
/** Files whose names contain no hash of their content. */
const plainFiles = ['/boot.js', '/favicon.svg']
/** For page loads at these paths, the server's response is never replaced by the stored page. */
const serverPaths = ['/api/', '/auth/', '/rest/', '/storage/', '/realtime/', '/functions/']
/** The statuses that a proxy returns while the server behind it is down. */
const proxyErrors = [502, 503, 504]

worker.addEventListener('install', (event) => {
  event.waitUntil(storePage().then(() => worker.skipWaiting()))
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(deleteOtherCaches().then(() => worker.clients.claim()))
})

// Pages send the URLs that they loaded before this service worker controlled them.
worker.addEventListener('message', (event) => {
  event.waitUntil(storeFiles(event.data))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin || request.headers.has('range')) return
  const isServerPath = serverPaths.some((path) => pathname.startsWith(path))
  if (pathname.startsWith('/assets/')) event.respondWith(cacheFirst(event))
  else if (plainFiles.includes(pathname)) event.respondWith(networkFirst(request, pathname))
  else if (request.mode === 'navigate' && !isServerPath) event.respondWith(networkFirst(request, pageUrl))
})

/**
 * Stores the page and the scripts and styles that it references. Rejects if one of them cannot be loaded, or if the
 * server still returns the page of another build. The browser then retries the installation later.
 */
async function storePage() {
  // Sends no cookies, so that the server returns the same page to all users.
  const response = await fetch(pageUrl, { credentials: 'omit', cache: 'no-cache' })
  if (!response.ok || response.redirected)
    throw new Error(`The server returned the page with status ${response.status}.`)
  /** @type {readonly string[]} */
  const files = (await response.clone().text()).match(/\/assets\/[\w./-]+\.(?:js|css)/g) ?? []
  if (!files.includes(entry)) throw new Error('The page belongs to another build.')
  const cache = await caches.open(cacheName)
  await cache.addAll([...new Set(files), ...plainFiles])
  await cache.put(pageUrl, response)
}

/** Stores the files at the given URLs. Ignores URLs that are not assets of the app. @param {string[]} urls */
async function storeFiles(urls) {
  const cache = await caches.open(cacheName)
  for (const url of urls) {
    const { origin, pathname } = new URL(url)
    const isAsset = origin === worker.location.origin && pathname.startsWith('/assets/')
    if (!isAsset || (await cache.match(url))) continue
    // After a deployment, the server may no longer have the files of an earlier build.
    await cache.add(url).catch(() => undefined)
  }
}

async function deleteOtherCaches() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
}

/**
 * Returns the server's response, so that a new build takes effect immediately. Returns the stored file instead if the
 * server cannot be reached.
 *
 * @param {Request} request
 * @param {string} storedUrl
 */
async function networkFirst(request, storedUrl) {
  const response = await fetch(request).catch(() => Response.error())
  if (response.type !== 'error' && !proxyErrors.includes(response.status)) return response
  return (await find(storedUrl)) ?? response
}

/**
 * Returns the stored file if there is one: it cannot be outdated, because its name contains a hash of its content.
 * Otherwise, returns the server's response and stores it.
 *
 * @param {WorkerEvent} event
 */
async function cacheFirst(event) {
  const stored = await find(event.request)
  if (stored) return stored
  const response = await fetch(event.request)
  if (response.ok) event.waitUntil(store(event.request, response.clone()))
  return response
}

/** @param {Request} request @param {Response} response */
async function store(request, response) {
  try {
    const cache = await caches.open(cacheName)
    await cache.put(request, response)
  } catch {
    // The storage is full.
  }
}

/**
 * Returns a stored file, or undefined if there is none or the browser's storage fails.
 *
 * @param {Request | string} request
 */
function find(request) {
  return caches.match(request, { cacheName, ignoreVary: true }).catch(() => undefined)
}

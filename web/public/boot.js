// Runs before the first paint. It is a classic script outside the bundle, because the browser defers modules.

// Sets the color mode.
;(() => {
  let mode = null
  try {
    mode = localStorage.getItem('ovation-color-mode')
  } catch {
    // Storage is unavailable: the page uses the system's mode.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const shown = mode === 'dark' || mode === 'light' ? mode : system
  const root = document.documentElement
  root.classList.add(shown)
  root.style.colorScheme = shown
  if (mode === shown) {
    // The color of the browser's own bars follows the selected mode, not the system's.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('media', meta.getAttribute('data-mode') === mode ? 'all' : 'not all')
    }
  }
  // Sets the page's background (the color token `bg`) until the theme's styles have loaded.
  root.style.backgroundColor = shown === 'dark' ? 'oklch(0.165 0.008 40)' : 'oklch(0.985 0.004 65)'
})()

// Starts the app when the document has been parsed. If the browser has a session, first requests what the pages of a
// signed-in user need: the code of the shell, the user and, on the home page, the posts. `lib/api.ts` uses these
// responses. If there is no session and the path is `/`, shows the prerendered landing page, and usually starts the app
// later. The build sets the attributes (vite.config.ts).
;(() => {
  const { app, appFiles, sessionCookie, shellFiles, landingFiles, earlyRequest, earlyHomeRequest } =
    document.currentScript?.dataset ?? {}
  // In development, the attributes are missing, and the document starts the app.
  if (!app || !appFiles || !sessionCookie || !shellFiles || !landingFiles) return
  const cookies = document.cookie
  const isHome = location.pathname === '/'
  const hasSession = cookies.includes(sessionCookie)
  // The prerendered page is in English.
  const isPrerendered = isHome && !hasSession && isEnglish()
  const startsLater = isPrerendered && !hasFlashToast()
  const files = isHome && !hasSession ? `${appFiles} ${landingFiles}` : appFiles
  const onParsed = () => {
    const template = document.querySelector('template')
    if (isPrerendered) template?.replaceWith(template.content)
    // The gateway leaves out the template if the browser still had a session when it requested the page.
    if (startsLater && template) startLater(files, () => import(app))
    else import(app)
  }
  if (!startsLater) addLinks('modulepreload', files)
  document.addEventListener('readystatechange', onParsed, { once: true })
  if (!hasSession) return
  addLinks('modulepreload', shellFiles)
  const requests = [earlyRequest, isHome ? earlyHomeRequest : '']
  const responses = new Map()
  for (const path of requests) {
    if (path) responses.set(path, fetch(path, { headers: { accept: 'application/json' } }))
  }
  // The code that uses a response also handles a failed request. This only prevents an unhandled rejection.
  for (const response of responses.values()) response.catch(() => undefined)
  window.earlyRequests = { cookies, responses }
})()

/**
 * Downloads modules without running them.
 *
 * @param {'modulepreload' | 'prefetch'} rel `prefetch` waits until the browser is idle and does not compile the modules
 * @param {string} files URLs, separated by spaces
 */
function addLinks(rel, files) {
  for (const file of files.split(' ')) {
    const link = document.createElement('link')
    link.rel = rel
    link.href = file
    document.head.append(link)
  }
}

// Returns whether the app will be in English.
function isEnglish() {
  let language = null
  try {
    language = localStorage.getItem('ovation-language')
  } catch {
    // Storage is unavailable: the app uses the browser's language.
  }
  return language ? language === 'en' : /^en\b/.test(navigator.language)
}

// Returns whether the previous page has left a message that the app has to show, for example after signing out.
function hasFlashToast() {
  try {
    return sessionStorage.getItem('ovation:flash-toast') !== null
  } catch {
    return false
  }
}

/**
 * Downloads the app two seconds after the page has loaded, when the pictures have been shown, and starts it after ten
 * seconds. Starts it earlier if the visitor scrolls, taps or presses a key. Following a link does not start it. The
 * app's first render takes most of a second on a slow phone, and the page's links also work without the app. If the app
 * cannot be downloaded, the next interaction tries again.
 *
 * @param {string} files URLs of the app's modules, separated by spaces
 * @param {() => Promise<unknown>} startApp
 */
function startLater(files, startApp) {
  const controller = new AbortController()
  const { signal } = controller
  const start = () => {
    if (signal.aborted) return
    controller.abort()
    addLinks('modulepreload', files)
    startApp().catch(() => startLater(files, startApp))
  }
  /** @param {Event} event */
  const onInteraction = ({ target }) => {
    if (target instanceof Element && target.closest('a')) return
    window.hasInteracted = true
    start()
  }
  for (const type of ['pointerdown', 'keydown', 'scroll']) addEventListener(type, onInteraction, { signal })
  const onLoad = () => {
    // Safari does not support `prefetch`.
    const rel = document.createElement('link').relList.supports('prefetch') ? 'prefetch' : 'modulepreload'
    setTimeout(() => addLinks(rel, files), 2_000)
    setTimeout(start, 10_000)
  }
  addEventListener('load', onLoad, { signal })
}

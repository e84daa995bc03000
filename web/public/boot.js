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

// Starts the app when the document has been parsed. If the browser has a session, first requests what a signed-in user's
// pages need: the code of the shell, the user and, on the home page, the posts. `lib/api.ts` uses these responses. If
// there is no session and the path is `/`, shows the prerendered landing page, and starts the app later. The build sets the attributes (vite.config.ts).
;(() => {
  const { app, sessionCookie, filesOfShell, filesOfLanding, earlyRequest, earlyRequestOfHome } =
    document.currentScript?.dataset ?? {}
  const cookies = document.cookie
  const isHome = location.pathname === '/'
  // In development, the attributes are missing, and the document starts the app.
  if (!app || !sessionCookie || !filesOfShell || !filesOfLanding) return
  const hasSession = cookies.includes(sessionCookie)
  const startApp = () => import(app)
  const onParsed = () => {
    if (!hasSession && isHome && showLandingPage() && !hasFlashToast()) startLater(startApp, filesOfLanding)
    else startApp()
  }
  document.addEventListener('readystatechange', onParsed, { once: true })
  if (!hasSession) return
  preload(filesOfShell)
  const requests = [earlyRequest, isHome ? earlyRequestOfHome : '']
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
 * @param {string} files URLs, separated by spaces
 */
function preload(files) {
  for (const file of files.split(' ')) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
}

// Shows the prerendered landing page, unless the app will be in another language than English. Returns whether it is
// shown.
function showLandingPage() {
  let language = null
  try {
    language = localStorage.getItem('ovation-language')
  } catch {
    // Storage is unavailable: the app uses the browser's language.
  }
  const template = document.querySelector('template')
  const isEnglish = language ? language === 'en' : /^en\b/.test(navigator.language)
  if (!template || !isEnglish) return false
  template.replaceWith(template.content)
  return true
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
 * Starts the app when the visitor first interacts with the page, or three seconds after the page has loaded. The app's
 * first render takes most of a second on a slow phone, and the page's links also work without the app.
 *
 * @param {() => void} startApp
 * @param {string} files the URLs of modules that the app will need, separated by spaces
 */
function startLater(startApp, files) {
  const controller = new AbortController()
  const { signal } = controller
  const start = () => {
    if (!signal.aborted) startApp()
    controller.abort()
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll'])
    window.addEventListener(type, start, { passive: true, signal })
  const onLoaded = () => {
    preload(files)
    setTimeout(start, 3000)
  }
  window.addEventListener('load', onLoaded, { signal })
}

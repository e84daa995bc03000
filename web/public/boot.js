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

// If the browser has a session, requests what a signed-in user's pages need first: the code of the shell, the user and,
// on the home page, the posts. `lib/api.ts` uses these responses. If there is no session and the path is `/`, requests
// the landing page's code and shows its prerendered top. The build sets the attributes (vite.config.ts).
;(() => {
  const { sessionCookie, filesOfShell, filesOfLanding, earlyRequest, earlyRequestOfHome } =
    document.currentScript?.dataset ?? {}
  const cookies = document.cookie
  const isHome = location.pathname === '/'
  // The attributes are missing in development.
  if (!sessionCookie || !filesOfShell || !filesOfLanding) return
  const hasSession = cookies.includes(sessionCookie)
  if (!hasSession && !isHome) return
  for (const file of (hasSession ? filesOfShell : filesOfLanding).split(' ')) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  if (!hasSession) {
    // When the document has been parsed, before the app runs.
    document.addEventListener('readystatechange', showLandingPage, { once: true })
    return
  }
  const requests = [earlyRequest, isHome ? earlyRequestOfHome : '']
  const responses = new Map()
  for (const path of requests) {
    if (path) responses.set(path, fetch(path, { headers: { accept: 'application/json' } }))
  }
  // The code that uses a response also handles a failed request. This only prevents an unhandled rejection.
  for (const response of responses.values()) response.catch(() => undefined)
  window.earlyRequests = { cookies, responses }
})()

// The prerendered part is in English.
function showLandingPage() {
  let language = null
  try {
    language = localStorage.getItem('ovation-language')
  } catch {
    // Storage is unavailable: the app uses the browser's language.
  }
  const template = document.querySelector('template')
  if (/^en\b/.test(language ?? navigator.language)) template?.replaceWith(template.content)
}

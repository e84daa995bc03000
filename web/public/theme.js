// Sets the colour mode before the first paint. Not part of the bundle, because a module runs after it.
;(() => {
  let mode = null
  try {
    mode = localStorage.getItem('ovation-color-mode')
  } catch {
    // Without storage the system's mode counts.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const shown = mode === 'dark' || mode === 'light' ? mode : system
  const root = document.documentElement
  root.classList.add(shown)
  root.style.colorScheme = shown
  if (mode === shown) {
    // Somebody's choice against the system's counts for the browser's own bars, too.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('media', meta.getAttribute('data-mode') === mode ? 'all' : 'not all')
    }
  }
  // The page's own background, until the theme's styles are there (tokens `bg`).
  root.style.backgroundColor = shown === 'dark' ? 'oklch(0.165 0.008 40)' : 'oklch(0.985 0.004 65)'
})()

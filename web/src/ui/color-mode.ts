import { create } from 'zustand'

export const colorModes = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof colorModes)[number]

/** `public/theme.js` reads the same key before the first paint. */
const storageKey = 'ovation-color-mode'

function stored(): ColorMode {
  try {
    const value = localStorage.getItem(storageKey)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)')

function paint(mode: ColorMode) {
  const dark = mode === 'dark' || (mode === 'system' && prefersDark().matches)
  const root = document.documentElement
  root.classList.toggle('dark', dark)
  root.classList.toggle('light', !dark)
  root.style.colorScheme = dark ? 'dark' : 'light'
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.dataset.mode
    meta.media = mode === 'system' ? `(prefers-color-scheme: ${own})` : own === mode ? 'all' : 'not all'
  }
  // From `theme.js`, which painted the page before the theme's own background was there.
  root.style.removeProperty('background-color')
}

/** The chosen mode; `system` until somebody chooses. */
export const useColorMode = create<{ mode: ColorMode; setMode: (mode: ColorMode) => void }>((set) => ({
  mode: stored(),
  setMode: (mode) => {
    try {
      if (mode === 'system') localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, mode)
    } catch {
      // Storage may be forbidden: the choice then lasts as long as the page.
    }
    paint(mode)
    set({ mode })
  },
}))

/** Keeps the page in step with the system's mode; call once at start. */
export function followSystemColorMode(): void {
  prefersDark().addEventListener('change', () => paint(useColorMode.getState().mode))
}

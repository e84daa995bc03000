import { create } from 'zustand'

export const colorModes = ['system', 'light', 'dark'] as const
export type ColorMode = (typeof colorModes)[number]

/** `public/boot.js` reads this key before the first paint. */
export const colorModeKey = 'ovation-color-mode'

function readStoredMode(): ColorMode {
  try {
    const value = localStorage.getItem(colorModeKey)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)')

const isDark = (mode: ColorMode) => mode === 'dark' || (mode === 'system' && prefersDark().matches)

function applyMode(mode: ColorMode) {
  const dark = isDark(mode)
  const root = document.documentElement
  root.classList.toggle('dark', dark)
  root.classList.toggle('light', !dark)
  root.style.colorScheme = dark ? 'dark' : 'light'
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const metaMode = meta.dataset.mode
    meta.media =
      mode === 'system' ? `(prefers-color-scheme: ${metaMode})` : metaMode === mode ? 'all' : 'not all'
  }
  // The theme's styles have loaded and replace the color that `boot.js` set.
  root.style.removeProperty('background-color')
}

/** The selected mode; `system` by default. */
export const useColorMode = create<{ mode: ColorMode; setMode: (mode: ColorMode) => void }>((set) => ({
  mode: readStoredMode(),
  setMode: (mode) => {
    try {
      if (mode === 'system') localStorage.removeItem(colorModeKey)
      else localStorage.setItem(colorModeKey, mode)
    } catch {
      // Storage is unavailable: the mode lasts until the page is reloaded.
    }
    applyMode(mode)
    set({ mode })
  },
}))

/** Updates the page when the system's color mode changes. Call it once at startup. */
export function followSystemColorMode(): void {
  const update = () => applyMode(useColorMode.getState().mode)
  prefersDark().addEventListener('change', update)
  // The system's mode may have changed since `boot.js` applied it.
  if (document.documentElement.classList.contains('dark') !== isDark(useColorMode.getState().mode)) update()
}

import { useEffect } from 'react'

const heightVariable = '--visible-height'
const topVariable = '--visible-top'

/** The height of the part of the window that the on-screen keyboard does not cover, for CSS. */
export const visibleHeight = `var(${heightVariable}, 100dvh)`
/** How far that part is below the top of the window: browsers move it when the keyboard opens. */
export const visibleTop = `var(${topVariable}, 0px)`

/** In pixels. Smaller differences are rounding errors. */
const minKeyboardHeight = 2

/** Keeps `visibleHeight` and `visibleTop` current while mounted, because CSS units ignore the on-screen keyboard. */
export function useVisibleArea(): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const root = document.documentElement
    const { style } = root
    const update = () => {
      // A page that the user has zoomed in on must not shrink.
      const isZoomed = Math.abs(viewport.scale - 1) > 0.01
      const coveredHeight = root.clientHeight - viewport.height
      if (isZoomed || coveredHeight < minKeyboardHeight) {
        style.removeProperty(heightVariable)
        style.removeProperty(topVariable)
      } else {
        style.setProperty(heightVariable, `${viewport.height}px`)
        style.setProperty(topVariable, `${viewport.offsetTop}px`)
      }
    }
    update()
    viewport.addEventListener('resize', update)
    viewport.addEventListener('scroll', update)
    return () => {
      viewport.removeEventListener('resize', update)
      viewport.removeEventListener('scroll', update)
      style.removeProperty(heightVariable)
      style.removeProperty(topVariable)
    }
  }, [])
}

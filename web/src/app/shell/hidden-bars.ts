import { useEffect } from 'react'

/** Pixels that the page has to scroll in one direction before the bars react. */
const threshold = 12

const isTyping = () => document.activeElement?.matches('input, textarea, [contenteditable]') === true

/**
 * Hides the top and bottom bars while the user scrolls down, and shows them again when the user scrolls up. Sets an
 * attribute on the root element, which `hiddenBarStyle` uses. The bars stay visible while a text field has focus, and
 * for users who prefer reduced motion.
 */
export function useHiddenBars(): void {
  useEffect(() => {
    const root = document.documentElement
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    let lastY = window.scrollY
    const setHidden = (hidden: boolean) => root.toggleAttribute('data-bars-hidden', hidden)
    const onScroll = () => {
      const y = window.scrollY
      const delta = y - lastY
      if (Math.abs(delta) < threshold) return
      lastY = y
      // A jump is not a scroll by the user: the page restored a position or went to a post.
      const isJump = Math.abs(delta) > window.innerHeight / 2
      setHidden(delta > 0 && y > threshold * 5 && !isJump && !reducedMotion.matches && !isTyping())
    }
    const onFocus = () => {
      if (isTyping()) setHidden(false)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    document.addEventListener('focusin', onFocus)
    return () => {
      window.removeEventListener('scroll', onScroll)
      document.removeEventListener('focusin', onFocus)
      setHidden(false)
    }
  }, [])
}

/**
 * Returns styles that move a bar off the screen of a phone while the bars are hidden, unless the bar contains the
 * focused element or the button of an open panel.
 *
 * @param distance how far the bar moves down, in percent of its height; a negative value moves it up
 */
export const hiddenBarStyle = (distance: '-100%' | '100%') =>
  ({
    transition: 'transform {durations.slow} {easings.out}',
    mdDown: {
      '[data-bars-hidden] &:not(:focus-within, :has([aria-expanded=true]))': {
        transform: `translateY(${distance})`,
      },
    },
  }) as const

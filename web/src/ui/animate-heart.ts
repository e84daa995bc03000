/** Makes a heart pulse once, after a like. Does nothing if the user prefers reduced motion. */
export function animateHeart(element: HTMLElement | null): void {
  if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element.animate(
    [{ transform: 'scale(0.7)' }, { transform: 'scale(1.35)', offset: 0.5 }, { transform: 'scale(1)' }],
    { duration: 200, easing: 'ease-out' },
  )
}

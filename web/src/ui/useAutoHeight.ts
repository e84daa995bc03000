import { type RefObject, useLayoutEffect } from 'react'

/** Keeps a text area as high as what is in it. */
export function useAutoHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what is written
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    // `scrollHeight` is without the border.
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [text])
}

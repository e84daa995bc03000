import { type RefObject, useLayoutEffect } from 'react'

/** Keeps a text area as tall as its text. */
export function useAutoHeight(textarea: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = textarea.current
    if (!element) return
    element.style.height = 'auto'
    // `scrollHeight` does not include the border.
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [text])
}

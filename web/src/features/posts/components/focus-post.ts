/** Gives the focus to a post as soon as it is drawn, without scrolling; `frames` is how long that may take. */
export function focusPost(postId: string, frames = 60): void {
  const article = document.querySelector<HTMLElement>(`[data-post="${CSS.escape(postId)}"] article`)
  if (article) {
    article.tabIndex = -1
    article.focus({ preventScroll: true })
  } else if (frames > 0) {
    requestAnimationFrame(() => focusPost(postId, frames - 1))
  }
}

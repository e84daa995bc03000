import type { Post } from '@contract/post.ts'
import { type RefObject, useLayoutEffect } from 'react'

/** A user's position in a list of posts when they left it, and the rendered heights of the list's blocks. */
export interface ListPosition {
  blockKeys: PostBlockKeys
  /** Last rendered heights in pixels, by block key. */
  blockHeights: Map<string, number>
  /** Keys of the blocks that were in the viewport. They are rendered immediately when the user returns. */
  visibleBlocks: Set<string>
  /** Ids of posts whose runs the user has unfolded, see `foldRuns`. */
  unfolded: ReadonlySet<string>
  /** The first visible post, its distance in pixels from the top of the viewport, and the page's scroll position. */
  anchor: { postId: string; top: number; scrollY: number } | null
}

const positions = new Map<string, ListPosition>()

/** Returns the position in the list whose query key has the hash `listId`. It is kept until the page unloads. */
function getListPosition(listId: string): ListPosition {
  const existing = positions.get(listId)
  if (existing) return existing
  const position: ListPosition = {
    blockKeys: new Map(),
    blockHeights: new Map(),
    visibleBlocks: new Set(),
    unfolded: new Set(),
    anchor: null,
  }
  positions.set(listId, position)
  return position
}

/** Saves the visible blocks and the first visible post of the list in `root`. Call it before the list is unmounted. */
function saveListPosition(position: ListPosition, root: HTMLElement): void {
  position.visibleBlocks.clear()
  position.anchor = null
  for (const block of root.querySelectorAll<HTMLElement>('[data-post-block]')) {
    const { top, bottom } = block.getBoundingClientRect()
    if (bottom <= 0) continue
    if (top >= window.innerHeight) break
    if (block.dataset.postBlock !== undefined) position.visibleBlocks.add(block.dataset.postBlock)
    if (position.anchor) continue
    for (const post of block.querySelectorAll<HTMLElement>('[data-post]')) {
      const rect = post.getBoundingClientRect()
      if (rect.bottom <= 0) continue
      position.anchor = { postId: post.dataset.post ?? '', top: rect.top, scrollY: window.scrollY }
      break
    }
  }
}

/**
 * Scrolls the anchor post back to where it was, because the height of the content above it may have changed. Call it
 * after the router has restored the scroll position. If none of the previously visible blocks exists any more, scrolls
 * to the top. Does nothing if the router did not restore the scroll position.
 */
function restoreListPosition({ anchor, visibleBlocks }: ListPosition, root: HTMLElement): void {
  if (!anchor || window.scrollY === 0) return
  const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1
  if (!isAtEnd && Math.abs(window.scrollY - anchor.scrollY) > 1) return
  const blocks = [...root.querySelectorAll<HTMLElement>('[data-post-block]')]
  if (!blocks.some(({ dataset }) => visibleBlocks.has(dataset.postBlock ?? ''))) {
    window.scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const post = root.querySelector(`[data-post="${CSS.escape(anchor.postId)}"]`)
  const offset = post ? post.getBoundingClientRect().top - anchor.top : 0
  if (Math.abs(offset) > 0.5) window.scrollBy({ top: offset, behavior: 'instant' })
}

/** Consecutive posts that are rendered together or not at all. */
export interface PostBlock {
  /** Stable while any of the block's posts is in the list. */
  key: string
  posts: Post[]
}

/** Block keys by post id. */
export type PostBlockKeys = Map<string, string>

/** The number of posts in a block: few enough to be rendered within one frame. */
const blockSize = 5

/**
 * Groups posts into blocks and adds new posts to `keys`. Posts that are already in `keys` stay in their block, whatever
 * is added or removed around them, so that the block keeps its key and its saved height.
 */
export function groupIntoBlocks(posts: Post[], keys: PostBlockKeys): PostBlock[] {
  const blocks: PostBlock[] = []
  const usedKeys = new Set<string>()
  let current: PostBlock | undefined
  let room = 0
  const startBlock = (key: string, post: Post) => {
    current = { key, posts: [post] }
    blocks.push(current)
    usedKeys.add(key)
  }
  for (const post of posts) {
    const knownKey = keys.get(post.id)
    if (current && knownKey === current.key) {
      current.posts.push(post)
    } else if (knownKey !== undefined && !usedKeys.has(knownKey)) {
      startBlock(knownKey, post)
      room = 0
    } else if (current && room > 0) {
      keys.set(post.id, current.key)
      current.posts.push(post)
      room--
    } else {
      // The id alone may not be unique: before the order changed, another block may have started with the same post.
      const key = `${post.id}/${keys.size}`
      keys.set(post.id, key)
      startBlock(key, post)
      room = blockSize - 1
    }
  }
  return blocks
}

/** Returns whether two blocks have the same key and contain the same post objects. */
export function isSameBlock(a: PostBlock, b: PostBlock): boolean {
  return (
    a.key === b.key &&
    a.posts.length === b.posts.length &&
    a.posts.every((post, index) => post === b.posts[index])
  )
}

/** Focuses a post without scrolling, as soon as it is rendered. Gives up after `framesLeft` animation frames. */
export function focusPost(postId: string, framesLeft = 60): void {
  const article = document.querySelector<HTMLElement>(`[data-post="${CSS.escape(postId)}"] article`)
  if (article) {
    article.tabIndex = -1
    article.focus({ preventScroll: true })
  } else if (framesLeft > 0) {
    requestAnimationFrame(() => focusPost(postId, framesLeft - 1))
  }
}

/**
 * Returns the user's position in the list that `root` contains. Restores it when the list is mounted, and saves it when
 * the list is unmounted.
 */
export function useListPosition(listId: string, root: RefObject<HTMLElement | null>): ListPosition {
  const position = getListPosition(listId)
  useLayoutEffect(() => {
    const element = root.current
    if (!element) return
    // The router restores the scroll position after this effect and before the next frame.
    const frame = requestAnimationFrame(() => restoreListPosition(position, element))
    return () => {
      cancelAnimationFrame(frame)
      saveListPosition(position, element)
    }
  }, [position, root])
  return position
}

import type { Post } from '@contract/post.ts'
import { type ComponentType, createContext } from 'react'

export interface CommentsProps {
  post: Post
  /** Called with the change in the number of comments, including replies. It is negative after a deletion. */
  onCount: (delta: number) => void
  /** Called when the server responds that the post no longer exists. */
  onGone: () => void
  /** Whether the post is on its own page, where the URL can link to a comment. */
  large: boolean
  /** Whether the comments are in a pane beside the post. The pane scrolls on its own, with the form at the bottom. */
  inPane: boolean
  /** The number of times the user asked to write a comment. Each increase focuses the comment form. */
  focusRequests: number
}

/** The component that shows the comments under a post. The app provides it, because comments are another feature. */
export const CommentsSlot = createContext<ComponentType<CommentsProps> | null>(null)

import type { Post } from '@contract/post.ts'
import { type ComponentType, createContext } from 'react'

export interface CommentsProps {
  post: Post
  /** Receives the change of the number of comments, replies included; negative after a deletion. */
  onCount: (delta: number) => void
  /** Called when the server responds that the post no longer exists. */
  onGone: () => void
  /** On the post's own page, where the URL can link to a comment. */
  large: boolean
  /** Counts how often the user asked to write a comment. Each time, the comment form is focused. */
  focusRequests: number
}

/** The component that shows the comments under a post. The app provides it, because comments are another feature. */
export const CommentsSlot = createContext<ComponentType<CommentsProps> | null>(null)

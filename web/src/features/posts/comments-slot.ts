import type { Post } from '@contract/post.ts'
import { type ComponentType, createContext } from 'react'

/** What is given to whoever shows the comments of a post. */
export interface CommentsProps {
  post: Post
  /** Tells how many comments (replies included) came or, below zero, went. */
  onCount: (by: number) => void
  /** Told when the server knows no such post any more. */
  onGone: () => void
  /** On the post's own page, where an address can name one of them. */
  large: boolean
}

/** Shows the comments under a post. Given from outside: what is said about posts is no part of this feature. */
export const CommentsSlot = createContext<ComponentType<CommentsProps> | null>(null)

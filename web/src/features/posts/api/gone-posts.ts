import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '@/lib/api'
import { toast } from '@/ui/toaster'
import { postKeys } from './keys'
import { findPost, removePost } from './post-cache'

/** Whether the server answered that it knows no such post: it was deleted, or is not open to this person any more. */
export function isPostGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Takes a post that is gone off the screen and says so; its own page reads it again and says the same. */
export function removeGonePost(client: QueryClient, postId: string): void {
  // Said once, however much was on its way.
  if (!findPost(client, postId)) return
  toast({ title: 'This post is gone.' })
  removePost(client, postId)
  void client.resetQueries({ queryKey: postKeys.detail(postId) })
}

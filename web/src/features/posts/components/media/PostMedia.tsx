import type { Post } from '@contract/post.ts'
import { displayName } from '@/lib/person'
import { Picture } from './Picture'
import { Video } from './Video'

/** The picture or the video of a post, where it has one. */
export function PostMedia({ post }: { post: Post }) {
  const by = displayName(post.user)
  if (post.videoUrl) return <Video key={post.videoUrl} post={post} url={post.videoUrl} by={by} />
  if (post.imageUrl) return <Picture key={post.imageUrl} post={post} url={post.imageUrl} by={by} />
  return null
}

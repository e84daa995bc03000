import type { Post } from '@contract/post.ts'
import { displayName } from '@/lib/text'
import { PostImage } from './PostImage'
import { PostVideo } from './PostVideo'

/** The picture or the video of a post, where it has one. */
export function PostMedia({ post }: { post: Post }) {
  const by = displayName(post.user)
  if (post.videoUrl) return <PostVideo key={post.videoUrl} post={post} url={post.videoUrl} by={by} />
  if (post.imageUrl) return <PostImage key={post.imageUrl} post={post} url={post.imageUrl} by={by} />
  return null
}

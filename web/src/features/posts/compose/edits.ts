import { type EditPostRequest, nothingToPost, type Post } from '@contract/post.ts'
import { parsePrice, priceProblem } from './price'

/** What stands in the fields of the dialog that edits a post. */
export interface Edits {
  content: string
  teaser: string
  altText: string
  price: string
}

export function editsOf(post: Post): Edits {
  return {
    content: post.content,
    teaser: post.teaser ?? '',
    altText: post.altText ?? '',
    price: post.premiumPrice?.toFixed(2) ?? '',
  }
}

/** What differs from the post, as the API takes it; undefined when nothing does. */
export function changesOf(post: Post, edits: Edits): EditPostRequest | undefined {
  const content = edits.content.trim()
  const teaser = edits.teaser.trim() || null
  const altText = edits.altText.trim() || null
  const price = parsePrice(edits.price)
  const changes: EditPostRequest = {
    ...(content !== post.content && { content }),
    ...(post.isPremium && teaser !== post.teaser && { teaser }),
    ...(post.mediaType !== null && altText !== post.altText && { altText }),
    ...(post.isPremium && price !== null && price !== post.premiumPrice && { premiumPrice: price }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}

/** What is wrong with the edits, by field; empty when nothing is. */
export function problemsOf(post: Post, edits: Edits): { content?: string; price?: string } {
  const price = post.isPremium ? priceProblem(edits.price) : undefined
  const isNothing = edits.content.trim() === '' && post.mediaType === null
  return { ...(isNothing && { content: nothingToPost }), ...(price && { price }) }
}

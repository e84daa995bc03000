import { limits } from '@contract/limits.ts'
import type { CreatePostRequest } from '@contract/post.ts'
import { z } from 'zod'
import { parseAmount } from '@/lib/parse-amount'
import { uuidv7 } from '@/lib/uuid'

/** What was uploaded for a post: addresses that the server answered. */
const DraftMedia = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), imageUrl: z.string() }),
  z.object({ kind: z.literal('video'), videoUrl: z.string(), posterUrl: z.string().nullable() }),
])
export type DraftMedia = z.infer<typeof DraftMedia>

const defaultPrice = limits.premiumPrice.default.toFixed(2)

/**
 * A post that is being written. `id` is the post's own: it stays while everything else does, over a reload and in
 * other tabs too, so that a repeated press stores once. `price` is what stands in its field.
 */
const PostDraft = z.object({
  id: z.string(),
  text: z.string(),
  isPremium: z.boolean().default(false),
  price: z.string().default(defaultPrice),
  teaser: z.string().default(''),
  /** Part of what one's subscribers get. */
  included: z.boolean().default(false),
  altText: z.string().default(''),
  media: DraftMedia.nullable().default(null),
})
export type PostDraft = z.infer<typeof PostDraft>
export type PostDraftFields = Partial<Omit<PostDraft, 'id'>>

export function emptyDraft(): PostDraft {
  return PostDraft.parse({ id: uuidv7(), text: '' })
}

/** What was stored, or nothing where it cannot be read. */
export function parseDraft(stored: string | null): PostDraft | undefined {
  if (stored === null) return
  try {
    return PostDraft.parse(JSON.parse(stored))
  } catch {
    return
  }
}

/** Another content is another post: one that may have been stored under the old id must not stand for it. */
export function updateDraft(draft: PostDraft, fields: PostDraftFields): PostDraft {
  return { ...draft, ...fields, id: uuidv7() }
}

/** True while there is nothing worth keeping. */
export function isDraftEmpty(draft: PostDraft): boolean {
  const { text, isPremium, price, teaser, altText, media } = draft
  return text + teaser + altText === '' && !isPremium && price === defaultPrice && media === null
}

export function draftMediaUrl(media: DraftMedia): string {
  return media.kind === 'image' ? media.imageUrl : media.videoUrl
}

/**
 * What is left of a draft after it, or an earlier state of it, was posted: nothing, or what was written since then.
 * An upload that the post has taken cannot be posted again.
 */
export function draftAfterPosting(current: PostDraft, posted: PostDraft): PostDraft {
  if (current.id === posted.id) return emptyDraft()
  const isTaken =
    current.media && posted.media && draftMediaUrl(current.media) === draftMediaUrl(posted.media)
  return isTaken ? updateDraft(current, { media: null, altText: '' }) : current
}

/** What is sent to post it. */
export function createPostRequest(draft: PostDraft): CreatePostRequest {
  const { id, text, isPremium, media } = draft
  const altText = draft.altText.trim()
  const teaser = draft.teaser.trim()
  return {
    id,
    content: text.trim(),
    isPremium,
    ...(isPremium && { premiumPrice: parseAmount(draft.price), teaser: teaser || null }),
    ...(isPremium && draft.included && { includedInSubscription: true }),
    ...(media?.kind === 'image' && { imageUrl: media.imageUrl }),
    ...(media?.kind === 'video' && { videoUrl: media.videoUrl, posterUrl: media.posterUrl }),
    ...(media && altText && { altText }),
  }
}

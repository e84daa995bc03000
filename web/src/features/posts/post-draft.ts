import { limits } from '@contract/limits.ts'
import type { CreatePostRequest } from '@contract/post.ts'
import { z } from 'zod'
import { parseAmount } from '@/lib/format'
import { parseJson } from '@/lib/json'
import { createDraftStore, useStoredDraft } from '@/lib/storage'
import { uuidv7 } from '@/lib/uuid'

/** The URLs that the server returned for an upload. */
const DraftMedia = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), imageUrl: z.string() }),
  z.object({ kind: z.literal('video'), videoUrl: z.string(), posterUrl: z.string().nullable() }),
])
export type DraftMedia = z.infer<typeof DraftMedia>

const defaultPrice = limits.premiumPrice.default.toFixed(2)

/**
 * A draft of a post. `id` becomes the post's id. It is the same in all tabs and after a reload, and changes only when
 * the draft changes, so that submitting the same draft twice creates only one post. `price` is the text in the price
 * input.
 */
const PostDraft = z.object({
  id: z.string(),
  text: z.string(),
  isPremium: z.boolean().default(false),
  price: z.string().default(defaultPrice),
  teaser: z.string().default(''),
  /** Whether the post is free for the author's subscribers. */
  included: z.boolean().default(false),
  showUnlocks: z.boolean().default(false),
  altText: z.string().default(''),
  media: DraftMedia.nullable().default(null),
  quotedPostId: z.string().nullable().default(null),
  /** When to publish the post, as an ISO 8601 time; null to publish it right away. */
  publishAt: z.string().nullable().default(null),
})
export type PostDraft = z.infer<typeof PostDraft>
export type PostDraftFields = Partial<Omit<PostDraft, 'id'>>

const drafts = createDraftStore({ empty: emptyDraft, parse: parseDraft, isEmpty: isDraftEmpty })
const draftName = 'draft:post'

/** Returns a user's draft, which is stored in the browser until it is posted. All composers in all tabs share it. */
export function usePostDraft(userId: string): PostDraft {
  return useStoredDraft(drafts, userId, draftName)
}

export function getPostDraft(userId: string): PostDraft {
  return drafts.get(userId, draftName)
}

export function changePostDraft(userId: string, fields: PostDraftFields): void {
  drafts.set(userId, draftName, updateDraft(getPostDraft(userId), fields))
}

/** Clears the draft after it has been posted. Keeps changes made since then. */
export function clearPostedDraft(userId: string, posted: PostDraft): void {
  const current = getPostDraft(userId)
  const next = draftAfterPosting(current, posted)
  if (next !== current) drafts.set(userId, draftName, next)
}

export function emptyDraft(): PostDraft {
  return PostDraft.parse({ id: uuidv7(), text: '' })
}

/** Returns undefined if there is no stored draft or if the stored draft is invalid. */
export function parseDraft(stored: string | null): PostDraft | undefined {
  return PostDraft.safeParse(parseJson(stored)).data
}

/** Returns the changed draft with a new id: the previous content may already be posted under the old id. */
export function updateDraft(draft: PostDraft, fields: PostDraftFields): PostDraft {
  return { ...draft, ...fields, id: uuidv7() }
}

/** Returns whether two drafts are the same apart from their ids, media and alt text. */
export function differOnlyInMedia(a: PostDraft, b: PostDraft): boolean {
  const fields = PostDraft.omit({ id: true, media: true, altText: true }).keyof().options
  return fields.every((field) => a[field] === b[field])
}

/**
 * Returns the draft to publish: the draft as it was when the user pressed the button, but with the media of the current
 * draft, which may have been uploaded since then. It has the id of the current draft or, if the current draft has other
 * changes, a new id.
 */
export function draftToPublish(pressed: PostDraft, current: PostDraft): PostDraft {
  const { id, media, altText } = current
  return { ...pressed, media, altText, id: differOnlyInMedia(pressed, current) ? id : uuidv7() }
}

/** Returns whether the draft has no content that needs to be stored. */
export function isDraftEmpty(draft: PostDraft): boolean {
  const { text, isPremium, price, teaser, altText, media, quotedPostId, publishAt } = draft
  const hasText = text + teaser + altText !== ''
  const hasOptions = isPremium || price !== defaultPrice || publishAt !== null
  return !hasText && !hasOptions && media === null && quotedPostId === null
}

export function draftMediaUrl(media: DraftMedia): string {
  return media.kind === 'image' ? media.imageUrl : media.videoUrl
}

/**
 * Returns the draft that remains after `posted` has been posted. If the draft has not changed since then, it becomes
 * empty. Otherwise, only the posted quote and the posted media are removed; an upload can be used in only one post.
 */
export function draftAfterPosting(current: PostDraft, posted: PostDraft): PostDraft {
  if (current.id === posted.id) return emptyDraft()
  const isMediaUsed =
    current.media && posted.media && draftMediaUrl(current.media) === draftMediaUrl(posted.media)
  const isQuoteUsed = current.quotedPostId && current.quotedPostId === posted.quotedPostId
  if (!isMediaUsed && !isQuoteUsed) return current
  return updateDraft(current, {
    ...(isMediaUsed && { media: null, altText: '' }),
    ...(isQuoteUsed && { quotedPostId: null }),
  })
}

/** Returns the request that posts the draft. */
export function createPostRequest(draft: PostDraft): CreatePostRequest {
  const { id, text, isPremium, media, quotedPostId, publishAt } = draft
  const altText = draft.altText.trim()
  const teaser = draft.teaser.trim()
  return {
    id,
    content: text.trim(),
    isPremium,
    ...(isPremium && { premiumPrice: parseAmount(draft.price), teaser: teaser || null }),
    ...(isPremium && draft.included && { includedInSubscription: true }),
    ...(isPremium && draft.showUnlocks && { showUnlocks: true }),
    ...(media?.kind === 'image' && { imageUrl: media.imageUrl }),
    ...(media?.kind === 'video' && { videoUrl: media.videoUrl, posterUrl: media.posterUrl }),
    ...(media && altText && { altText }),
    ...(quotedPostId && { quotedPostId }),
    ...(publishAt && { publishAt }),
  }
}

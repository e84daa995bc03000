import { QuotedMessage } from '@contract/message.ts'
import { z } from 'zod'

/** A picture as it will be uploaded; its size in pixels keeps its place in the thread. */
const OutboxImage = z.object({
  blob: z.instanceof(Blob),
  width: z.number().int().min(1),
  height: z.number().int().min(1),
})
export type OutboxImage = z.infer<typeof OutboxImage>

/**
 * A message on its way. `pending` waits or travels; `waiting` failed for a reason that may pass and is sent again
 * by itself; `refused` was turned down and goes again only when its writer says so.
 */
export const OutboxItem = z.object({
  id: z.string(),
  receiverId: z.string(),
  content: z.string(),
  createdAt: z.string(),
  state: z.enum(['pending', 'waiting', 'refused']),
  /** The message that it answers. */
  replyTo: QuotedMessage.nullable().default(null),
  image: OutboxImage.nullable().default(null),
  /** Where the picture lies once it is uploaded: sending again uploads nothing again. */
  imageUrl: z.string().nullable().default(null),
})
export type OutboxItem = z.infer<typeof OutboxItem>

/** What a person wrote, to be sent. Text or a picture is there. */
export interface NewMessage {
  content: string
  replyTo: QuotedMessage | null
  image: OutboxImage | null
}

/** In the order of writing: ids carry the time they were made at. */
export function sortOutboxItems(items: OutboxItem[]): OutboxItem[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { asAnon } from '../http/run-as.ts'
import { withTimeout } from '../with-timeout.ts'
import {
  type LinkPreview,
  type PostSource,
  type ProfileSource,
  postPreview,
  profilePreview,
} from './preview.ts'

/** How long a page waits for its preview. */
const timeoutMs = 700
/** How long pages are served without previews after a query fails or times out. */
const pauseMs = 5000

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const postPath = new RegExp(`^/post/(${uuid})/?$`, 'i')
const profilePath = new RegExp(`^/profile/(?:(${uuid})|([a-z0-9_]{3,30}))/?$`, 'i')

const site = { publicUrl: env.publicUrl, storageUrl: env.publicSupabaseUrl, appName: env.appName }
/** Requests for the same page share a running query. The result is not cached, because the page can become private. */
const pending = new Map<string, Promise<LinkPreview | null>>()
let pausedUntil = 0

/**
 * Returns the preview of the page at a path. Returns null if the page is neither a profile nor a post, visitors cannot
 * see it, its owner or author does not want it to be indexed, or the database does not answer in time.
 */
export function findLinkPreview(pathname: string): Promise<LinkPreview | null> {
  const read = previewReader(pathname)
  if (!read || Date.now() < pausedUntil) return Promise.resolve(null)
  const key = pathname.toLowerCase().replace(/\/$/, '')
  const existing = pending.get(key)
  if (existing) return existing
  const preview = withTimeout(read(), timeoutMs)
    .catch((error: unknown) => {
      pausedUntil = Date.now() + pauseMs
      log('warn', 'link_preview_failed', { reason: error instanceof Error ? error.message : 'unknown' })
      return null
    })
    .finally(() => pending.delete(key))
  pending.set(key, preview)
  return preview
}

/** Returns a function that reads the preview for a path, or null if the path is neither a profile's nor a post's. */
function previewReader(pathname: string): (() => Promise<LinkPreview | null>) | null {
  const [, postId] = postPath.exec(pathname) ?? []
  if (postId) {
    return async () => {
      const [row] = await asAnon(
        (tx) =>
          tx<{ source: PostSource | null }[]>`select private.post_preview(${postId}::text::uuid) as source`,
      )
      return row?.source ? postPreview(row.source, site) : null
    }
  }
  const [, userId, username] = profilePath.exec(pathname) ?? []
  if (!userId && !username) return null
  return async () => {
    const [row] = await asAnon(
      (tx) => tx<{ source: ProfileSource | null }[]>`
        select private.profile_preview(${username ?? null}::text, ${userId ?? null}::text::uuid) as source`,
    )
    return row?.source ? profilePreview(row.source, site) : null
  }
}

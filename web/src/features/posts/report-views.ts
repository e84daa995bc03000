import { limits } from '@contract/limits.ts'
import type { OwnUser } from '@contract/user.ts'
import { api } from '@/lib/api'
import { queryClient } from '@/lib/query-client'
import { queryKeys } from '@/lib/query-keys'
import { createViewLog } from './view-log'

const address = '/api/views'
const log = createViewLog()
let timer: ReturnType<typeof setTimeout> | undefined

/** Notes that the person signed in saw a post, to be reported with others; nothing of it for visitors. */
export function recordView(postId: string): void {
  const user = queryClient.getQueryData<OwnUser | null>(queryKeys.currentUser)
  if (!user || !log.note(user.id, postId, Date.now())) return
  if (log.waiting() >= limits.views.maxPosts) report()
  else timer ??= setTimeout(report, limits.views.reportIntervalMs)
}

/** A report that is lost is a view that is not counted, and nothing that anybody is to be told. */
function report(): void {
  clearTimeout(timer)
  timer = undefined
  const postIds = log.take(limits.views.maxPosts)
  if (postIds.length > 0) api.command('POST', address, { postIds }).catch(() => undefined)
}

/** Reports what waits from a page that may not come back: such a call outlives it. */
export function flushViews(): void {
  clearTimeout(timer)
  timer = undefined
  for (let ids = log.take(limits.views.maxPosts); ids.length > 0; ids = log.take(limits.views.maxPosts)) {
    void fetch(address, {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ postIds: ids }),
    }).catch(() => undefined)
  }
}

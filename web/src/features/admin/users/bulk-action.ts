import type { AdminUser } from '@contract/admin.ts'
import { plural, t } from '@lingui/core/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { create } from 'zustand'
import { errorMessage } from '@/lib/errors'
import { guardUnload } from '@/lib/leave-guard'
import { toast } from '@/ui/toaster'
import { type AdminAction, invalidateUsers, refetchUser, replaceUserInCache } from './api'

/** The maximum number of concurrent requests of a bulk action. */
const bulkConcurrency = 3

export interface BulkProgress {
  total: number
  /** How many requests have succeeded or failed so far. */
  finished: number
  failed: { user: AdminUser; message: string }[]
  createAction: (user: AdminUser) => AdminAction
}

/** The progress of the current action, or of the last one if it failed for some users. Survives navigation. */
const useProgress = create<{ progress?: BulkProgress }>(() => ({}))

const isRunning = (progress: BulkProgress | undefined) =>
  progress !== undefined && progress.finished < progress.total

/** Whether the list of users, which shows failures itself, is on screen. */
let isListShown = false

/**
 * Runs an action on several accounts, a few at a time. It succeeds or fails for each account separately. Only one
 * action runs at a time, and it continues while the admin is on another screen.
 */
export function useBulkAdminAction(onSuccess: (userId: string) => void) {
  const client = useQueryClient()
  const progress = useProgress((state) => state.progress)
  useEffect(() => {
    isListShown = true
    return () => {
      isListShown = false
    }
  }, [])
  return {
    progress,
    isRunning: isRunning(progress),
    run: (users: readonly AdminUser[], createAction: BulkProgress['createAction']) =>
      runBulkAction(client, users, createAction, onSuccess),
    reset: () => useProgress.setState({ progress: undefined }),
  }
}

async function runBulkAction(
  client: QueryClient,
  users: readonly AdminUser[],
  createAction: BulkProgress['createAction'],
  onSuccess: (userId: string) => void,
): Promise<void> {
  if (isRunning(useProgress.getState().progress)) return
  const queue = [...users]
  const failed: BulkProgress['failed'] = []
  let activeCount = 0
  const report = () =>
    useProgress.setState({
      progress: {
        total: users.length,
        finished: users.length - queue.length - activeCount,
        failed: [...failed],
        createAction,
      },
    })
  const runQueue = async () => {
    for (let user = queue.shift(); user; user = queue.shift()) {
      activeCount++
      report()
      try {
        replaceUserInCache(client, await createAction(user).send())
        onSuccess(user.id)
      } catch (error) {
        failed.push({ user, message: errorMessage(error, t`Something went wrong. Try again.`) })
        await refetchUser(client, user.id)
      }
      activeCount--
      report()
    }
  }
  const stopGuard = guardUnload()
  await Promise.all(Array.from({ length: bulkConcurrency }, runQueue))
  stopGuard()
  invalidateUsers(client)
  if (failed.length === 0) {
    useProgress.setState({ progress: undefined })
    toast({ title: t`${plural(users.length, { one: '# user changed', other: '# users changed' })}` })
  } else if (!isListShown) {
    toast({ title: notChangedText(failed.length), tone: 'destructive' })
  }
}

/** Formats 2 as '2 users not changed'. */
export const notChangedText = (count: number): string =>
  t`${plural(count, { one: '# user not changed', other: '# users not changed' })}`

import { limits } from '@contract/limits.ts'
import { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { profileMutationScope } from '@/profile/own-profile'
import { currentUserQuery } from '@/session/session'
import { shownTabs, storedTabs, type Viewer } from '../home-tabs'

/** Returns the tabs to store for the given shown tabs: tabs that are not shown are kept at the end if they fit. */
export function tabsToStore(viewer: Viewer, tabs: readonly string[]): string[] {
  const shown = shownTabs(viewer)
  const hidden = storedTabs(viewer).filter((tab) => !shown.includes(tab))
  return [...tabs, ...hidden.slice(0, Math.max(0, limits.homeTabs - tabs.length))]
}

/**
 * Changes the tabs that the current user pins to the home feed. The mutation takes a function that gets the shown tabs
 * and returns the new ones. It is called after earlier changes are saved, so that two quick changes are both kept.
 */
export function useSaveHomeTabs(user: OwnUser) {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  return useMutation({
    scope: { id: profileMutationScope },
    mutationFn: (change: (tabs: string[]) => string[]) => {
      const current = client.getQueryData(queryKey) ?? user
      const homeTabs = tabsToStore(current, change(shownTabs(current)))
      return api.patch('/api/settings/home', { homeTabs }, OwnUser)
    },
    onSuccess: async (saved) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, saved)
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't save your tabs. Try again.`) },
    // A request without a response may have succeeded.
    onError: () => void client.invalidateQueries({ queryKey }),
  })
}

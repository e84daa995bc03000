import { InstanceSettings, type InstanceSettingsRequest } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'

/** The settings of this instance. */
export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => api.get('/api/admin/settings', InstanceSettings, { signal }),
  staleTime: 0,
})

/** Changes the given settings and caches the settings that the server returns. */
export function useChangeSettings() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'admin:settings' },
    mutationFn: (changes: InstanceSettingsRequest) =>
      api.patch('/api/admin/settings', changes, InstanceSettings),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings)
      // The config contains the billing setting, which decides what the Creator Account switch does.
      void client.invalidateQueries({ queryKey: queryKeys.config })
      toast({ title: t`Settings saved` })
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't save the settings. Try again.`) },
  })
}

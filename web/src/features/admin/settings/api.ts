import { InstanceSettings, type InstanceSettingsRequest } from '@contract/admin.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'

/** The switches of this instance. */
export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => api.get('/api/admin/settings', InstanceSettings, { signal }),
  staleTime: 0,
})

/** Changes some of them; what was changed is shown as the server has it. */
export function useChangeSettings() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'admin:settings' },
    mutationFn: (changes: InstanceSettingsRequest) =>
      api.patch('/api/admin/settings', changes, InstanceSettings),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings)
      // Pages go by what it says of the Creator Account switch.
      void client.invalidateQueries({ queryKey: queryKeys.config })
      toast({ title: 'Settings saved' })
    },
    onError: (error) => showError(error, 'The settings could not be saved. Please try again.'),
  })
}

import type { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, messageOf } from '@/lib/api'
import { queryKeys } from '@/lib/queryKeys'
import { currentUserQuery } from '@/lib/session'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

/** Changes what is named of one's profile: at once on the screen, back again when it fails. */
export function useChangeProfile() {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  return useMutation({
    scope: { id: 'profile' },
    mutationFn: (fields: ProfileRequest) => api.patch('/api/profile', fields, OwnUser),
    onMutate: async (fields) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (user) => (user ? { ...user, ...fields } : user))
      return { before }
    },
    onSuccess: (user) => {
      client.setQueryData(queryKey, user)
      toast({ title: 'Profile updated successfully!' })
      // Their own record as others see it, and their name beside posts.
      void client.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError: (error, _, shown) => {
      if (shown?.before) client.setQueryData(queryKey, shown.before)
      if (isUnauthorized(error)) return
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && error.status === 403
      const failed = 'Failed to update profile. Please try again.'
      const description = refused ? messageOf(error, failed) : failed
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}

import { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, messageOf } from '@/lib/api'
import { holdReading } from '@/lib/optimistic'
import { profileChangesOf, profileScope } from '@/lib/ownProfile'
import { queryKeys } from '@/lib/queryKeys'
import { currentUserQuery } from '@/lib/session'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'

/**
 * Changes what is named of one's profile: at once on the screen, then as the server answers, back again when it fails.
 * Changes are sent one after the other.
 */
export function useChangeProfile() {
  const client = useQueryClient()
  const { queryKey } = currentUserQuery
  // While another change waits its turn, the screen already shows what comes after it.
  const isLast = () => profileChangesOf(client) <= 1
  return useMutation({
    scope: { id: profileScope },
    mutationFn: (fields: ProfileRequest) => api.patch('/api/profile', fields, OwnUser),
    onMutate: async (fields) => {
      const resume = await holdReading(client, { queryKey })
      const user = client.getQueryData(queryKey)
      if (user) client.setQueryData(queryKey, { ...user, ...fields })
      return { resume, before: user && valuesOf(user, fields) }
    },
    onSuccess: (user) => {
      if (isLast()) client.setQueryData(queryKey, user)
      toast({ title: 'Profile updated successfully!' })
      // Their own record as others see it, and their name beside posts.
      void client.invalidateQueries({ queryKey: queryKeys.users })
    },
    onError: (error, _, shown) => {
      const before = shown?.before
      if (before && isLast()) {
        client.setQueryData(queryKey, (user) => (user ? { ...user, ...before } : user))
        // What was there before may itself have been a change that failed.
        void client.invalidateQueries({ queryKey })
      }
      if (isUnauthorized(error)) return
      // A refusal has its reason, which trying again does not change.
      const refused = error instanceof ApiError && error.status === 403
      const failed = 'Failed to update profile. Please try again.'
      const description = refused ? messageOf(error, failed) : failed
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => shown?.resume(),
  })
}

/** What the user has now of what a change names. */
function valuesOf(user: OwnUser, fields: ProfileRequest): ProfileRequest {
  const names = new Set(Object.keys(fields))
  return ProfileRequest.parse(Object.fromEntries(Object.entries(user).filter(([name]) => names.has(name))))
}

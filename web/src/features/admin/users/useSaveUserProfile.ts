import { type AdminProfileRequest, AdminUser } from '@contract/admin.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { displayName } from '@/lib/text'
import { toast } from '@/ui/toaster'
import { showError } from '../show-error'
import { userPath } from './api'
import { updateUserInCache } from './user-cache'

/** Saves what was changed of somebody's profile. */
export function useSaveUserProfile(person: AdminUser) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: AdminProfileRequest) => api.replace(userPath(person.id, '/profile'), form, AdminUser),
    onSuccess: (saved) => {
      updateUserInCache(client, saved)
      toast({
        title: 'Profile Updated',
        description: `The profile of ${isolateBidi(displayName(saved))} is saved.`,
      })
    },
    onError: (error) => showError(error, 'The profile could not be saved. Please try again.'),
  })
}

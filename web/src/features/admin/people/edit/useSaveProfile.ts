import { type AdminProfileRequest, AdminUser } from '@contract/admin.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { isolated } from '@/lib/bidi'
import { displayName } from '@/lib/person'
import { toast } from '@/ui/toaster'
import { tellFailure } from '../../failure'
import { showAnswer } from '../api/cache'
import { personPath } from '../api/people'

/** Saves what was changed of somebody's profile. */
export function useSaveProfile(person: AdminUser) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: AdminProfileRequest) =>
      api.replace(personPath(person.id, '/profile'), form, AdminUser),
    onSuccess: (saved) => {
      showAnswer(client, saved)
      toast({
        title: 'Profile Updated',
        description: `The profile of ${isolated(displayName(saved))} is saved.`,
      })
    },
    onError: (error) => tellFailure(error, 'The profile could not be saved. Please try again.'),
  })
}

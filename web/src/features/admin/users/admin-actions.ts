import { AdminUser, type RemoveUserRequest, type SuspendUserRequest } from '@contract/admin.ts'
import type { AutoPostingFrequency } from '@contract/auto-posting.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { displayName } from '@/lib/text'
import { type Toast, toast } from '@/ui/toaster'
import { showError } from '../show-error'
import { fetchUser, userPath } from './api'
import { refetchUser, removeUserFromCache, updateUserInCache } from './user-cache'

/** Something that is done to an account. */
export interface AdminAction {
  name: 'approve' | 'creator' | 'auto-posting' | 'suspend' | 'lift'
  /** Answers the person as they are after it. */
  call: () => Promise<AdminUser>
  said: (person: AdminUser) => Toast
}

const nameOf = (person: AdminUser) => isolateBidi(displayName(person))

/** Vouches for an account. */
export const approve = ({ id }: AdminUser): AdminAction => ({
  name: 'approve',
  call: () => api.post(userPath(id, '/approve'), {}, AdminUser),
  said: (person) => ({ title: 'User Approved', description: `You vouched for ${nameOf(person)}.` }),
})

/** Says what somebody is to be, so that a double press changes it once. */
export const setCreator = ({ id }: AdminUser, isCreator: boolean): AdminAction => ({
  name: 'creator',
  call: () => api.post(userPath(id, '/toggle-creator'), { isCreator }, AdminUser),
  said: (person) => ({
    title: 'Creator Status Updated',
    description: `${nameOf(person)} is ${person.isCreator ? 'a creator now' : 'no longer a creator'}.`,
  }),
})

/** Has a program post in a creator's name, as often as `frequency` says, or no longer. */
export const setAutoPosting = (
  { id }: AdminUser,
  enabled: boolean,
  frequency: AutoPostingFrequency,
): AdminAction => ({
  name: 'auto-posting',
  call: () => api.post(userPath(id, '/toggle-auto-posting'), { enabled, frequency }, AdminUser),
  said: (person) => ({ title: 'Auto-posting Updated', description: autoPostingNow(person) }),
})

function autoPostingNow(person: AdminUser): string {
  if (!person.autoPostingEnabled) return `It is off for ${nameOf(person)}.`
  return person.awaitingConsent
    ? `It begins once ${nameOf(person)} has agreed in their settings.`
    : `It is on for ${nameOf(person)}.`
}

/** Keeps somebody from changing anything for a while. */
export const suspend = ({ id }: AdminUser, form: SuspendUserRequest): AdminAction => ({
  name: 'suspend',
  call: () => api.post(userPath(id, '/suspend'), form, AdminUser),
  said: (person) => ({
    title: 'User Suspended',
    description: `${nameOf(person)} was told why, and may appeal.`,
  }),
})

/** Ends a suspension before its time. */
export const liftSuspension = ({ id }: AdminUser): AdminAction => ({
  name: 'lift',
  call: async () => {
    await api.delete(userPath(id, '/suspend'))
    return fetchUser(id)
  },
  said: (person) => ({ title: 'Suspension Lifted', description: `${nameOf(person)} was told.` }),
})

/** Does things to one account, one at a time. What came of it is told in a toast, and shown wherever they stand. */
export function useAdminAction(personId: string) {
  const client = useQueryClient()
  const scope = `admin:person:${personId}`
  const { mutate, isPending, variables } = useMutation({
    scope: { id: scope },
    mutationFn: ({ call }: AdminAction) => call(),
    onSuccess: (person, { said }) => {
      updateUserInCache(client, person)
      toast(said(person))
    },
    onError: (error) => {
      showError(error, 'That did not work. Please try again.')
      void refetchUser(client, personId)
    },
  })
  return {
    /** `onDone` is told when it worked, while what asked is still there. */
    act: (deed: AdminAction, onDone?: () => void) => {
      // A second press comes before the button is drawn anew.
      if (pendingMutationCount(client, scope) === 0) mutate(deed, { onSuccess: onDone })
    },
    /** What is under way. */
    pending: isPending ? variables.name : undefined,
  }
}

/** Removes an account for good. A balance that is left is for the dialog to ask about. */
export function useRemoveUser(person: AdminUser, onDone: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (form: RemoveUserRequest) => api.delete(userPath(person.id), form),
    onSuccess: () => {
      removeUserFromCache(client, person.id)
      toast({ title: 'User Removed', description: `${nameOf(person)} was written to.` })
      onDone()
    },
    onError: (error) => {
      if (isBalanceLeftError(error)) return
      showError(error, 'The account could not be removed. Please try again.')
      void refetchUser(client, person.id)
    },
  })
  return { remove: mutate, isPending }
}

/** There is money that could be paid out: it has to be given up explicitly. */
export const isBalanceLeftError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'balance_left'

import { ProfileRequest } from '@contract/settings.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import { z } from 'zod'
import { changedFields, type ProfileFormValues } from './model'

/**
 * Judges, and hands on to be sent, what differs from `context`, the stored profile: a field that nobody touched is
 * neither sent nor in the way, even where an operator gave it a value that its owner could not choose.
 */
export const profileResolver: Resolver<ProfileFormValues, ProfileFormValues, ProfileRequest> = (
  values,
  context,
  options,
) => {
  const names = context ? changedFields(values, context) : []
  if (names.length === 0) return { values: {}, errors: {} }
  const changed = z.custom<ProfileFormValues>().transform((all): z.input<typeof ProfileRequest> => {
    const picked: z.input<typeof ProfileRequest> = {}
    for (const name of names) Object.assign(picked, { [name]: all[name] })
    return picked
  })
  return zodResolver(changed.pipe(ProfileRequest))(values, undefined, options)
}

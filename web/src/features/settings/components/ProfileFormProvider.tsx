import type { ProfileRequest } from '@contract/settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form'
import { isPageExiting } from '@/lib/page-exit'
import { toast } from '@/ui/toaster'
import { fieldErrors, useSaveProfile } from '../api/save-profile'
import {
  changedFields,
  fieldsToUpdate,
  type ProfileFormValues,
  profileFields,
  profileFormValues,
} from '../model'
import { restoreProfileDraft, saveProfileDraft } from '../profile-draft'
import { profileResolver } from '../profile-resolver'

interface ProfileForm {
  /** The profile as it is stored, in the form's terms. */
  stored: ProfileFormValues
  pending: boolean
  /** True when it was saved; where not, the person has been told why. */
  save: () => Promise<boolean>
  discard: () => void
}

const ProfileFormContext = createContext<ProfileForm | null>(null)

/**
 * Holds the profile's form above the tabs, so that nothing typed is lost between them. What another page or device
 * stores meanwhile is taken over, but for what was changed here. What is not saved is kept in the browser as it is
 * typed, and put back where the session ended over it.
 */
export function ProfileFormProvider({ user, children }: { user: OwnUser; children: ReactNode }) {
  const [stored, setStored] = useState(() => profileFormValues(user))
  const [left] = useState(() => restoreProfileDraft(user.id, stored))
  const form = useForm<ProfileFormValues, ProfileFormValues, ProfileRequest>({
    defaultValues: left,
    context: stored,
    resolver: profileResolver,
    mode: 'onTouched',
  })
  const { getValues, setValue, clearErrors, setError, handleSubmit, reset, subscribe } = form

  const [wasLeft] = useState(() => changedFields(left, stored).length > 0)
  const told = useRef(false)
  useEffect(() => {
    if (!wasLeft || told.current) return
    told.current = true
    toast({
      title: 'Your unsaved changes are back',
      description: 'Save or discard them in your profile settings.',
    })
  }, [wasLeft])
  const isKept = useRef(wasLeft)
  const keep = useCallback(
    (next: ProfileFormValues) => {
      const before = isKept.current
      isKept.current = changedFields(getValues(), next).length > 0
      // A form that holds nothing leaves alone what another tab keeps, and one that is left what signing out forgot.
      if ((isKept.current || before) && !isPageExiting()) saveProfileDraft(user.id, getValues(), next)
    },
    [getValues, user.id],
  )

  const follow = useCallback(
    (before: ProfileFormValues, next: ProfileFormValues) => {
      for (const name of fieldsToUpdate(getValues(), before, next)) {
        setValue(name, next[name])
        clearErrors(name)
      }
      setStored(next)
      keep(next)
    },
    [getValues, setValue, clearErrors, keep],
  )
  const sent = useRef<ProfileFormValues | null>(null)
  const isSaving = useRef(false)
  const { mutateAsync, isPending } = useSaveProfile((answer) => {
    if (sent.current) follow(sent.current, profileFormValues(answer))
  })

  const latest = useRef(stored)
  useEffect(() => {
    latest.current = stored
  })
  useEffect(() => follow(latest.current, profileFormValues(user)), [user, follow])
  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => keep(latest.current) }),
    [subscribe, keep],
  )

  const value = useMemo((): ProfileForm => {
    const send = async (fields: ProfileRequest) => {
      sent.current = { ...getValues() }
      try {
        await mutateAsync(fields)
        return true
      } catch (error) {
        let shouldFocus = true
        const said = fieldErrors(error)
        for (const name of profileFields) {
          const message = said[name]?.[0]
          if (!message) continue
          setError(name, { type: 'server', message }, { shouldFocus })
          shouldFocus = false
        }
        return false
      } finally {
        sent.current = null
      }
    }
    return {
      stored,
      pending: isPending,
      save: async () => {
        if (isSaving.current) return false
        isSaving.current = true
        let saved = false
        try {
          await handleSubmit(async (fields) => {
            saved = await send(fields)
          })()
        } finally {
          isSaving.current = false
        }
        return saved
      },
      discard: () => {
        reset(stored)
        keep(stored)
      },
    }
  }, [stored, isPending, getValues, handleSubmit, mutateAsync, reset, setError, keep])

  return (
    <ProfileFormContext value={value}>
      <FormProvider {...form}>{children}</FormProvider>
    </ProfileFormContext>
  )
}

/** The form around this component, and the way to save or discard it. */
export function useProfileForm(): ProfileForm {
  const form = use(ProfileFormContext)
  if (!form) throw new Error('There is no profile form around this.')
  return form
}

/** The form's fields, as react-hook-form has them. */
export const useProfileFields = () => useFormContext<ProfileFormValues, ProfileFormValues, ProfileRequest>()

/** True while the form differs from what is stored. Drawn anew at every key, so ask for it where little is drawn. */
export function useIsProfileDirty(): boolean {
  const { control, getValues } = useProfileFields()
  const { stored } = useProfileForm()
  useWatch({ control })
  return changedFields(getValues(), stored).length > 0
}

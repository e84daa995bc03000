import { ProfileRequest } from '@contract/settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form'
import { showFieldErrors } from '@/lib/errors'
import { isPageExiting } from '@/lib/leave-guard'
import { toast } from '@/ui/toaster'
import { useCoverDraft } from '@/uploads/useProfileImageUpload'
import { useSaveProfile } from '../api/own-user'
import {
  changedFields,
  fieldsToUpdate,
  type ProfileField,
  type ProfileFormValues,
  profileFields,
  profileFormValues,
  profileResolver,
  restoreProfileDraft,
  saveProfileDraft,
  type TextName,
} from '../model'
import { type FormTopic, type Topic, topicOfField } from '../topics'

interface ProfileForm {
  /** The saved profile as form values. */
  saved: ProfileFormValues
  pending: boolean
  /** Resolves to whether the profile was saved. If not, the error is already shown. */
  save: () => Promise<boolean>
  /** Like `save`, but saves only one field and keeps the unsaved changes to the others. */
  saveField: (name: TextName) => Promise<boolean>
  discard: () => void
}

const ProfileFormContext = createContext<ProfileForm | null>(null)

/**
 * Provides the profile form to all settings pages, so that unsaved changes survive when the user opens another of these
 * pages. Changes from another tab or device are applied, except to fields that the user has edited here. Unsaved
 * changes are stored in the browser as the user types and are restored on the next visit.
 */
export function ProfileFormProvider({ user, children }: { user: OwnUser; children: ReactNode }) {
  const [saved, setSaved] = useState(() => profileFormValues(user))
  const [restored] = useState(() => restoreProfileDraft(user.id, saved))
  const form = useForm<ProfileFormValues, ProfileFormValues, ProfileRequest>({
    defaultValues: restored,
    context: saved,
    resolver: profileResolver,
    mode: 'onTouched',
  })
  const { getValues, setValue, clearErrors, setError, handleSubmit, reset, subscribe, trigger } = form

  const [isRestored] = useState(() => changedFields(restored, saved).length > 0)
  const hasAnnouncedRestore = useRef(false)
  useEffect(() => {
    if (!isRestored || hasAnnouncedRestore.current) return
    hasAnnouncedRestore.current = true
    toast({
      title: t`Your unsaved changes are back`,
      description: t`Save or discard them in your profile settings.`,
    })
  }, [isRestored])
  const hasDraft = useRef(isRestored)
  const updateDraft = useCallback(
    (next: ProfileFormValues) => {
      const hadDraft = hasDraft.current
      hasDraft.current = changedFields(getValues(), next).length > 0
      // A form without changes must not remove another tab's draft, and a page that is being left must not restore a
      // draft that signing out has removed.
      if ((hasDraft.current || hadDraft) && !isPageExiting()) saveProfileDraft(user.id, getValues(), next)
    },
    [getValues, user.id],
  )

  const applySaved = useCallback(
    (previous: ProfileFormValues, next: ProfileFormValues) => {
      for (const name of fieldsToUpdate(getValues(), previous, next)) {
        setValue(name, next[name])
        clearErrors(name)
      }
      setSaved(next)
      updateDraft(next)
    },
    [getValues, setValue, clearErrors, updateDraft],
  )
  const sentValues = useRef<ProfileFormValues | null>(null)
  const isSaving = useRef(false)
  const { mutateAsync, isPending } = useSaveProfile({
    onResponse: (savedUser) => {
      if (sentValues.current) applySaved(sentValues.current, profileFormValues(savedUser))
    },
  })

  const latestSaved = useRef(saved)
  useEffect(() => {
    latestSaved.current = saved
  })
  useEffect(() => applySaved(latestSaved.current, profileFormValues(user)), [user, applySaved])
  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => updateDraft(latestSaved.current) }),
    [subscribe, updateDraft],
  )

  const value = useMemo((): ProfileForm => {
    const send = async (fields: ProfileRequest, values: ProfileFormValues) => {
      sentValues.current = values
      try {
        await mutateAsync(fields)
        return true
      } catch (error) {
        showFieldErrors(error, profileFields, setError)
        return false
      } finally {
        sentValues.current = null
      }
    }
    return {
      saved,
      pending: isPending,
      save: async () => {
        if (isSaving.current) return false
        isSaving.current = true
        let isSaved = false
        try {
          await handleSubmit(async (fields) => {
            isSaved = await send(fields, { ...getValues() })
          })()
        } finally {
          isSaving.current = false
        }
        return isSaved
      },
      saveField: async (name) => {
        const value = getValues(name)
        if (value === saved[name]) return true
        if (isSaving.current || !(await trigger(name, { shouldFocus: true }))) return false
        isSaving.current = true
        try {
          return await send(ProfileRequest.parse({ [name]: value }), { ...saved, [name]: value })
        } finally {
          isSaving.current = false
        }
      },
      discard: () => {
        reset(saved)
        updateDraft(saved)
      },
    }
  }, [saved, isPending, getValues, handleSubmit, mutateAsync, reset, setError, trigger, updateDraft])

  return (
    <ProfileFormContext value={value}>
      <FormProvider {...form}>{children}</FormProvider>
    </ProfileFormContext>
  )
}

/** Returns the saved profile and the functions to save or discard the changes in the form. */
export function useProfileForm(): ProfileForm {
  const form = use(ProfileFormContext)
  if (!form) throw new Error('useProfileForm must be used within a ProfileFormProvider.')
  return form
}

/** Returns the react-hook-form API of the profile form. */
export const useProfileFields = () => useFormContext<ProfileFormValues, ProfileFormValues, ProfileRequest>()

/**
 * Returns the fields that differ from the saved profile. Re-renders the component on every keystroke, so use it only in
 * small components.
 */
function useChangedFields(): ProfileField[] {
  const { control, getValues } = useProfileFields()
  const { saved } = useProfileForm()
  useWatch({ control })
  return changedFields(getValues(), saved)
}

/** Returns the topics whose fields have unsaved changes. Re-renders on every keystroke, like `useChangedFields`. */
export function useChangedTopics(): ReadonlySet<FormTopic> {
  return new Set(useChangedFields().map(topicOfField))
}

type CoverDraft = ReturnType<typeof useCoverDraft>

interface AvatarDraft {
  /** The image that is being cropped. */
  photo: File | null
  choosePhoto: (photo: File | null) => void
}

const CoverDraftContext = createContext<CoverDraft | null>(null)
const AvatarDraftContext = createContext<AvatarDraft | null>(null)

/** Keeps the chosen profile photo and cover until they are uploaded, even if the user opens another settings page. */
export function ProfileImageProvider({ children }: { children: ReactNode }) {
  const [photo, choosePhoto] = useState<File | null>(null)
  return (
    <CoverDraftContext value={useCoverDraft('background')}>
      <AvatarDraftContext value={{ photo, choosePhoto }}>{children}</AvatarDraftContext>
    </CoverDraftContext>
  )
}

/** Returns the profile photo that is chosen but not saved. */
export function useAvatarDraft(): AvatarDraft {
  const draft = use(AvatarDraftContext)
  if (!draft) throw new Error('useAvatarDraft must be used within a ProfileImageProvider.')
  return draft
}

/** Returns the cover image that is chosen but not uploaded. */
export function useCoverImageDraft(): CoverDraft {
  const draft = use(CoverDraftContext)
  if (!draft) throw new Error('useCoverImageDraft must be used within a ProfileImageProvider.')
  return draft
}

/** Returns which parts of the profile have unsaved changes. Re-renders on every keystroke, like `useChangedFields`. */
export function useUnsavedChanges(): { form: boolean; cover: boolean; photo: boolean } {
  return {
    form: useChangedFields().length > 0,
    cover: useCoverImageDraft().previewUrl !== null,
    photo: useAvatarDraft().photo !== null,
  }
}

/** Returns the topics with unsaved fields or a chosen cover. Re-renders on every keystroke. */
export function useUnsavedTopics(): ReadonlySet<Topic> {
  const hasCover = useCoverImageDraft().previewUrl !== null
  const topics = useChangedTopics()
  return hasCover ? new Set<Topic>([...topics, 'profile']) : topics
}

import { createContext, type ReactNode, use, useState } from 'react'
import { useCoverDraft } from '@/uploads/useCoverDraft'
import { useIsProfileDirty } from './ProfileFormProvider'

type CoverDraft = ReturnType<typeof useCoverDraft>

interface PhotoDraft {
  /** The picture that is being cropped. */
  photo: File | null
  choosePhoto: (photo: File | null) => void
}

const ProfileImageContext = createContext<CoverDraft | null>(null)
const Photo = createContext<PhotoDraft | null>(null)

/** Holds the images that were chosen above the tabs, until they are uploaded. */
export function ProfileImageProvider({ children }: { children: ReactNode }) {
  const [photo, choosePhoto] = useState<File | null>(null)
  return (
    <ProfileImageContext value={useCoverDraft('background')}>
      <Photo value={{ photo, choosePhoto }}>{children}</Photo>
    </ProfileImageContext>
  )
}

/** The profile photo that was chosen and is not saved yet. */
export function useAvatarDraft(): PhotoDraft {
  const draft = use(Photo)
  if (!draft) throw new Error('There is nothing around this that holds the photo.')
  return draft
}

/** The background image that was chosen and is not uploaded yet. */
export function useCoverImageDraft(): CoverDraft {
  const draft = use(ProfileImageContext)
  if (!draft) throw new Error('There is nothing around this that holds the cover.')
  return draft
}

/** What would be lost with the page. Drawn anew at every key, as `useUnsaved`. */
export function useUnsavedChanges(): { form: boolean; cover: boolean; photo: boolean } {
  return {
    form: useIsProfileDirty(),
    cover: useCoverImageDraft().previewUrl !== null,
    photo: useAvatarDraft().photo !== null,
  }
}

import { createContext, type ReactNode, use, useState } from 'react'
import { useCoverDraft } from '@/lib/ownImages/useCoverDraft'
import { useUnsaved } from './ProfileFormProvider'

type CoverDraft = ReturnType<typeof useCoverDraft>

interface PhotoDraft {
  /** The picture that is being cropped. */
  photo: File | null
  choosePhoto: (photo: File | null) => void
}

const Context = createContext<CoverDraft | null>(null)
const Photo = createContext<PhotoDraft | null>(null)

/** Holds the images that were chosen above the tabs, until they are uploaded. */
export function CoverProvider({ children }: { children: ReactNode }) {
  const [photo, choosePhoto] = useState<File | null>(null)
  return (
    <Context value={useCoverDraft('background')}>
      <Photo value={{ photo, choosePhoto }}>{children}</Photo>
    </Context>
  )
}

/** The profile photo that was chosen and is not saved yet. */
export function useOwnPhoto(): PhotoDraft {
  const draft = use(Photo)
  if (!draft) throw new Error('There is nothing around this that holds the photo.')
  return draft
}

/** The background image that was chosen and is not uploaded yet. */
export function useOwnCover(): CoverDraft {
  const draft = use(Context)
  if (!draft) throw new Error('There is nothing around this that holds the cover.')
  return draft
}

/** What would be lost with the page. Drawn anew at every key, as `useUnsaved`. */
export function useLeftUndone(): { form: boolean; cover: boolean; photo: boolean } {
  return {
    form: useUnsaved(),
    cover: useOwnCover().previewUrl !== null,
    photo: useOwnPhoto().photo !== null,
  }
}

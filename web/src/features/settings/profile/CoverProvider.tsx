import { createContext, type ReactNode, use } from 'react'
import { useCoverDraft } from '@/lib/ownImages/useCoverDraft'
import { useUnsaved } from './ProfileFormProvider'

type CoverDraft = ReturnType<typeof useCoverDraft>

const Context = createContext<CoverDraft | null>(null)

/** Holds the background image that was chosen above the tabs, until it is uploaded. */
export function CoverProvider({ children }: { children: ReactNode }) {
  return <Context value={useCoverDraft('background')}>{children}</Context>
}

/** The background image that was chosen and is not uploaded yet. */
export function useOwnCover(): CoverDraft {
  const draft = use(Context)
  if (!draft) throw new Error('There is nothing around this that holds the cover.')
  return draft
}

/** What would be lost with the page. Drawn anew at every key, as `useUnsaved`. */
export function useLeftUndone(): { form: boolean; cover: boolean } {
  return { form: useUnsaved(), cover: useOwnCover().previewUrl !== null }
}

import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { ConfirmDialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/LeaveDialog'
import { type ProfileField, profileFields } from '../model'
import { useProfileFields, useProfileForm } from './ProfileFormProvider'
import { useAvatarDraft, useCoverImageDraft, useUnsavedChanges } from './ProfileImageProvider'

/**
 * Asks before the page is left with changes that are not saved. Going from tab to tab keeps them.
 *
 * @param onRefused called when they could not be saved on the way out, with the field that is wrong where one is: the
 *   page stays
 */
export function UnsavedChangesDialog({ onRefused }: { onRefused: (field?: ProfileField) => void }) {
  const { form, cover, photo } = useUnsavedChanges()
  const { choosePhoto } = useAvatarDraft()
  const { pending: isSaving, save, discard } = useProfileForm()
  const { getFieldState } = useProfileFields()
  const image = useCoverImageDraft()
  const guard = useLeaveGuard(form || cover || photo)
  // What is asked about stays while the dialog leaves, with nothing of it left.
  const [asked, setAsked] = useState('')
  const words = wordsFor(form, cover)
  if (words && words !== asked) setAsked(words)
  /** The field that was refused, which gets the focus in place of what was pressed to leave. */
  const refused = useRef<ProfileField>(undefined)
  const stay = () => {
    refused.current = undefined
    guard.stay()
  }
  /** Its dialog is told to close when the one below it goes, which is no wish to stay. */
  const givenUp = useRef(false)
  useEffect(() => {
    if (photo) givenUp.current = false
  }, [photo])
  const saveAll = async () => {
    if ((!form || (await save())) && (!cover || (await image.send()))) {
      guard.leave()
      return
    }
    stay()
    refused.current = profileFields.find((name) => getFieldState(name).invalid)
    onRefused(refused.current)
  }
  return (
    <>
      {/* Asked first: it is open above all the rest, and what part of it is kept is not chosen here. */}
      <ConfirmDialog
        open={guard.asking && photo}
        title="Discard this photo?"
        text="You chose a profile photo and have not saved it yet."
        confirmLabel="Discard"
        onClose={() => !givenUp.current && stay()}
        onConfirm={() => {
          givenUp.current = true
          choosePhoto(null)
        }}
      />
      <LeaveDialog
        open={guard.asking && !photo && (form || cover)}
        title="Save your changes?"
        text={asked}
        stayLabel="Keep editing"
        saveLabel="Save"
        pending={isSaving || image.isUploading}
        onStay={stay}
        onDiscard={() => {
          discard()
          image.cancel()
          guard.leave()
        }}
        onSave={() => void saveAll()}
        finalFocus={() => (refused.current ? (document.getElementsByName(refused.current)[0] ?? null) : null)}
      />
    </>
  )
}

function wordsFor(form: boolean, cover: boolean): string {
  if (!cover) return form ? 'You changed your profile and have not saved it yet.' : ''
  const image = 'You chose a background image and have not uploaded it yet'
  return form ? `${image}, and your profile has changes that are not saved.` : `${image}.`
}

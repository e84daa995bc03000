import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { screenAt } from '@/lib/paths'
import { ConfirmDialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { type ProfileField, profileFields } from '../model'
import { type FormTopic, topicOfField } from '../topics'
import {
  useAvatarDraft,
  useCoverImageDraft,
  useProfileFields,
  useProfileForm,
  useUnsavedChanges,
} from './ProfileFormProvider'

/**
 * Asks for confirmation before the user leaves the page with unsaved changes. Opening another settings topic keeps
 * them, except for a photo that is being cropped.
 *
 * @param onSaveFailed called with the topic that could not be saved and its invalid field, if any; the user stays on
 *   the page
 */
export function UnsavedChangesDialog({
  onSaveFailed,
}: {
  onSaveFailed: (topic: FormTopic, field?: ProfileField) => void
}) {
  const { form, cover, photo } = useUnsavedChanges()
  const { choosePhoto } = useAvatarDraft()
  const { pending: isSaving, save, discard } = useProfileForm()
  const { getFieldState } = useProfileFields()
  const coverDraft = useCoverImageDraft()
  const guard = useLeaveGuard(
    form || cover || photo,
    (pathname) => !photo && screenAt(pathname) === 'settings',
  )
  // Keeps the last text while the dialog closes, because nothing is unsaved by then.
  const [shownText, setShownText] = useState('')
  const text = unsavedChangesText(form, cover)
  if (text && text !== shownText) setShownText(text)
  /** The invalid field that receives focus when the dialog closes. */
  const invalidField = useRef<ProfileField>(undefined)
  const stay = () => {
    invalidField.current = undefined
    guard.stay()
  }
  /**
   * Set when the photo is discarded. That closes the crop dialog and the dialog that asks about the photo, but must not
   * count as a decision to stay.
   */
  const isPhotoDiscarded = useRef(false)
  useEffect(() => {
    if (photo) isPhotoDiscarded.current = false
  }, [photo])
  const saveAll = async () => {
    const isFormSaved = !form || (await save())
    if (isFormSaved && (!cover || (await coverDraft.send()))) {
      guard.leave()
      return
    }
    stay()
    const field = isFormSaved ? undefined : profileFields.find((name) => getFieldState(name).invalid)
    invalidField.current = field
    if (field) onSaveFailed(topicOfField(field), field)
    else if (isFormSaved) onSaveFailed('profile')
  }
  return (
    <>
      {/* Asks about the photo first, because it can be saved only in the crop dialog, which is still open. */}
      <ConfirmDialog
        open={guard.isBlocked && photo}
        title={t`Discard this photo?`}
        text={t`You haven’t saved your new profile photo yet.`}
        confirmLabel={t`Discard`}
        onClose={() => !isPhotoDiscarded.current && stay()}
        onConfirm={() => {
          isPhotoDiscarded.current = true
          choosePhoto(null)
        }}
      />
      <LeaveDialog
        open={guard.isBlocked && !photo && (form || cover)}
        title={t`Save your changes?`}
        text={shownText}
        stayLabel={t`Keep editing`}
        saveLabel={t`Save`}
        pending={isSaving || coverDraft.isUploading}
        onStay={stay}
        onDiscard={() => {
          discard()
          coverDraft.cancel()
          guard.leave()
        }}
        onSave={() => void saveAll()}
        finalFocus={() =>
          invalidField.current ? (document.getElementsByName(invalidField.current)[0] ?? null) : null
        }
      />
    </>
  )
}

function unsavedChangesText(form: boolean, cover: boolean): string {
  if (form && cover) return t`You haven’t saved your profile or uploaded your new background image yet.`
  if (form) return t`You haven’t saved the changes to your profile yet.`
  return cover ? t`You haven’t uploaded your new background image yet.` : ''
}

import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useLeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { VisuallyHidden } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { bottomBarAttribute } from '@/ui/toaster'
import { type ProfileField, profileFields } from '../model'
import { LanguageSection } from './LanguageSection'
import {
  useAvatarDraft,
  useCoverImageDraft,
  useIsProfileDirty,
  useProfileFields,
  useProfileForm,
  useUnsavedChanges,
} from './ProfileFormProvider'
import { ProfileImages } from './ProfileImages'
import {
  AboutSection,
  CountrySection,
  CreatorSection,
  IdentitySection,
  LinksSection,
} from './ProfileSections'

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: { base: '2', md: '4' },
    // The save bar must not cover the focused field.
    '& :is(input, select, textarea)': { scrollMarginBlock: '6rem 9rem' },
  },
})

/**
 * Shows the profile form, which saves all sections together except for the language, which applies immediately.
 * `autoPosts` is the link to the drafts that AI writes.
 */
export function ProfileTab({ autoPosts }: { autoPosts: ReactNode }) {
  const { save } = useProfileForm()
  const { setFocus } = useProfileFields()
  const [params, setParams] = useSearchParams()
  const requestedField = params.get('field')
  // Removes the field from the URL, so that a reload does not focus it again.
  useEffect(() => {
    if (requestedField === null) return
    const name = profileFields.find((field) => field === requestedField)
    if (name) setFocus(name)
    setParams({ tab: 'profile' }, { replace: true, preventScrollReset: true })
  }, [requestedField, setFocus, setParams])
  return (
    <Form
      noValidate
      aria-label={t`Profile`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <ProfileImages />
      <IdentitySection />
      <AboutSection />
      <LinksSection />
      <CountrySection />
      <CreatorSection autoPosts={autoPosts} />
      <LanguageSection />
      <ProfileSaveBar />
    </Form>
  )
}

/** Shows the save and discard buttons at the bottom of the viewport while the form has unsaved changes. */
function ProfileSaveBar() {
  const isDirty = useIsProfileDirty()
  const { pending, discard } = useProfileForm()
  const bar = useRef<HTMLDivElement>(null)
  const formEnd = useRef<HTMLDivElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // The bar disappears together with the focused button, so the focus moves to the end of the form.
  useRestoreFocus(isDirty, () => (hadFocus.current ? formEnd.current : null))
  // The save button loses the focus because it is disabled while saving. If a field is invalid, the focus is there.
  useRestoreFocus(pending, () => (hadFocus.current ? saveButton.current : null))
  return (
    <>
      <VisuallyHidden role="status">{isDirty ? t`You have unsaved changes.` : ''}</VisuallyHidden>
      <Box
        ref={formEnd}
        tabIndex={-1}
        onFocus={() => {
          hadFocus.current = false
        }}
      />
      {isDirty && (
        <Box
          ref={bar}
          {...bottomBarAttribute}
          role="group"
          aria-label={t`Unsaved changes`}
          onFocus={() => {
            hadFocus.current = true
          }}
          onBlur={(event) => {
            // Without a related target, the focused button was disabled.
            if (event.relatedTarget && !bar.current?.contains(event.relatedTarget)) hadFocus.current = false
          }}
          position="sticky"
          zIndex="raised"
          bottom={{ base: 'calc({sizes.bottomBar} + env(safe-area-inset-bottom) + 0.5rem)', md: '4' }}
          display="flex"
          alignItems="center"
          gap="3"
          marginTop="4"
          marginInline={{ base: '2', md: '0' }}
          paddingBlock="2.5"
          paddingInlineStart={{ base: '4', md: '5' }}
          paddingInlineEnd="2.5"
          bg="raised"
          borderWidth="1px"
          borderColor="hairline"
          borderRadius="lg"
          boxShadow="high"
          animation="appear 160ms {easings.out}"
        >
          <Box flex="1" minWidth="0" textStyle={{ base: 'small', md: 'body' }} color="muted">
            {t`Unsaved changes`}
          </Box>
          <Button variant="ghost" onClick={discard} disabled={pending}>
            {t`Discard`}
          </Button>
          <Button ref={saveButton} variant="ember" type="submit" pending={pending} pendingLabel={t`Saving…`}>
            {t`Save changes`}
          </Button>
        </Box>
      )}
    </>
  )
}

/**
 * Asks for confirmation before the user leaves the page with unsaved changes. A change of tab keeps them.
 *
 * @param onSaveFailed called if saving fails, with the first invalid field, if any; the user stays on the page
 */
export function UnsavedChangesDialog({ onSaveFailed }: { onSaveFailed: (field?: ProfileField) => void }) {
  const { form, cover, photo } = useUnsavedChanges()
  const { choosePhoto } = useAvatarDraft()
  const { pending: isSaving, save, discard } = useProfileForm()
  const { getFieldState } = useProfileFields()
  const coverDraft = useCoverImageDraft()
  const guard = useLeaveGuard(form || cover || photo)
  // Keeps the last text while the dialog closes, when nothing is unsaved any more.
  const [shownText, setShownText] = useState('')
  const text = unsavedChangesText(form, cover)
  if (text && text !== shownText) setShownText(text)
  /** The invalid field that gets the focus when the dialog closes. */
  const invalidField = useRef<ProfileField>(undefined)
  const stay = () => {
    invalidField.current = undefined
    guard.stay()
  }
  /** The crop dialog below closes with the photo and also closes this dialog, which must not count as staying. */
  const isPhotoDiscarded = useRef(false)
  useEffect(() => {
    if (photo) isPhotoDiscarded.current = false
  }, [photo])
  const saveAll = async () => {
    if ((!form || (await save())) && (!cover || (await coverDraft.send()))) {
      guard.leave()
      return
    }
    stay()
    invalidField.current = profileFields.find((name) => getFieldState(name).invalid)
    onSaveFailed(invalidField.current)
  }
  return (
    <>
      {/* Comes first: the crop dialog is open, and only there can the user crop and save the photo. */}
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

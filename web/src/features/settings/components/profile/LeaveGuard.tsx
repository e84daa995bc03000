import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { isLeaving } from '@/lib/unauthorized'
import { holdUnsaved } from '@/lib/unsaved'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { useLeftUndone, useOwnCover } from '../../profile/CoverProvider'
import { useProfileFields, useProfileForm } from '../../profile/ProfileFormProvider'
import { type ProfileName, profileNames } from '../../profile/values'

/**
 * Asks before the page is left with changes that are not saved: by a dialog within the app, by the browser's own words
 * where the document itself is left, and by the question of who signs out. Going from tab to tab keeps them.
 *
 * @param onRefused called when they could not be saved on the way out, with the field that is wrong where one is: the
 *   page stays
 */
export function LeaveGuard({ onRefused }: { onRefused: (field?: ProfileName) => void }) {
  const { form, cover } = useLeftUndone()
  const unsaved = form || cover
  const { pending: isSaving, save, discard } = useProfileForm()
  const { getFieldState } = useProfileFields()
  const image = useOwnCover()
  const pending = isSaving || image.isUploading
  const keep = useRef<HTMLButtonElement>(null)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => {
      // A session that is over takes its page with it.
      if (!isLeaving()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    const release = holdUnsaved()
    return () => {
      window.removeEventListener('beforeunload', ask)
      release()
    }
  }, [unsaved])
  /** The field that was refused, which gets the focus in place of what was pressed to leave. */
  const refused = useRef<ProfileName>(undefined)
  const stay = () => {
    refused.current = undefined
    blocker.reset?.()
  }
  const saveAll = async () => {
    if ((!form || (await save())) && (!cover || (await image.send()))) {
      blocker.proceed?.()
      return
    }
    stay()
    refused.current = profileNames.find((name) => getFieldState(name).invalid)
    onRefused(refused.current)
  }
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      title="Save your changes?"
      description={wordsFor(form, cover)}
      role="alertdialog"
      initialFocus={() => keep.current}
      finalFocus={() => (refused.current ? (document.getElementsByName(refused.current)[0] ?? null) : null)}
      footer={
        <>
          <Button
            variant="ghost"
            marginInlineEnd="auto"
            paddingInline="3"
            disabled={pending}
            onClick={() => {
              discard()
              image.cancel()
              blocker.proceed?.()
            }}
          >
            Discard
          </Button>
          <Button ref={keep} variant="outline" paddingInline={{ base: '3.5', sm: '5' }} onClick={stay}>
            Keep editing
          </Button>
          <Button
            variant="ember"
            paddingInline={{ base: '3.5', sm: '5' }}
            pending={pending}
            onClick={() => void saveAll()}
          >
            Save
          </Button>
        </>
      }
    />
  )
}

function wordsFor(form: boolean, cover: boolean): string {
  if (!cover) return 'You changed your profile and have not saved it yet.'
  const image = 'You chose a background image and have not uploaded it yet'
  return form ? `${image}, and your profile has changes that are not saved.` : `${image}.`
}

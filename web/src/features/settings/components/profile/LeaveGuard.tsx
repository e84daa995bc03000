import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { isLeaving } from '@/lib/unauthorized'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { useProfileForm, useUnsaved } from '../../profile/ProfileFormProvider'

/**
 * Asks before the page is left with changes that are not saved: by a dialog within the app, by the browser's own words
 * where the document itself is left. Going from tab to tab keeps them.
 *
 * @param onRefused called when they could not be saved on the way out: the page stays
 */
export function LeaveGuard({ onRefused }: { onRefused: () => void }) {
  const unsaved = useUnsaved()
  const { pending, save, discard } = useProfileForm()
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
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      title="Save your changes?"
      description="You changed your profile and have not saved it yet."
      role="alertdialog"
      initialFocus={() => keep.current}
      footer={
        <>
          <Button
            variant="ghost"
            marginInlineEnd="auto"
            paddingInline="3"
            disabled={pending}
            onClick={() => {
              discard()
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
            onClick={async () => {
              if (await save()) blocker.proceed?.()
              else {
                stay()
                onRefused()
              }
            }}
          >
            Save
          </Button>
        </>
      }
    />
  )
}

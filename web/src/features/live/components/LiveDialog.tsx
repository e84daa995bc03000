import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { onSignOut } from '@/session/session'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import type { StreamState } from '../model'
import { closeStream, endStream, startStream, useStream } from '../stream'
import { StreamStudio } from './StreamStudio'

/**
 * Shows the live stream dialog on any page. The camera and microphone are released however the dialog closes: by a
 * button, Escape, navigation, sign-out or leaving the page.
 */
export default function LiveDialog({
  user,
  open,
  onClose,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
}) {
  const stream = useStream((store) => store.stream)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (!open) return
    const unsubscribe = onSignOut(closeStream)
    window.addEventListener('pagehide', closeStream)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', closeStream)
      closeStream()
    }
  }, [open])
  useEffect(() => {
    if (open && lastPathname.current !== pathname) onClose()
    lastPathname.current = pathname
  }, [open, pathname, onClose])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Go Live`}
      description={t`Preview only. No one can see this; the viewer count is simulated.`}
      initialFocus={() => buttonRef.current}
      footer={
        <>
          {stream.phase === 'ended' && (
            <Button variant="outline" onClick={onClose}>
              {t`Done`}
            </Button>
          )}
          {/* One button for all phases, so that it keeps focus. */}
          <Button
            ref={buttonRef}
            variant={stream.phase === 'live' ? 'danger' : 'ember'}
            aria-disabled={stream.phase === 'starting' || undefined}
            aria-busy={stream.phase === 'starting' || undefined}
            onClick={(event) => {
              // The second click of a double click would end the stream that the first one started.
              if (event.detail > 1) return
              if (stream.phase === 'live') endStream()
              else void startStream()
            }}
          >
            {buttonLabel(stream)}
          </Button>
        </>
      }
    >
      <StreamStudio user={user} />
    </Dialog>
  )
}

function buttonLabel(stream: StreamState): string {
  switch (stream.phase) {
    case 'idle':
      return stream.problem ? t`Try again` : t`Start live stream`
    case 'starting':
      return t`Starting…`
    case 'live':
      return t`End stream`
    case 'ended':
      return t`Start again`
  }
}

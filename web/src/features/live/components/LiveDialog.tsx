import type { OwnUser } from '@contract/user.ts'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { onSignOut } from '@/session/session'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import type { StreamState } from '../model'
import { endStream, releaseStream, startStream, useStream } from '../stream'
import { StreamStudio } from './StreamStudio'

/**
 * Goes live over any screen. However it closes (a press, Escape, another screen, signing out, the page itself), camera
 * and microphone are given back.
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
  const stage = useStream((studio) => studio.stage)
  const press = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  const shownAt = useRef(pathname)
  useEffect(() => {
    if (!open) return
    const takeBack = onSignOut(releaseStream)
    window.addEventListener('pagehide', releaseStream)
    return () => {
      takeBack()
      window.removeEventListener('pagehide', releaseStream)
      releaseStream()
    }
  }, [open])
  useEffect(() => {
    if (open && shownAt.current !== pathname) onClose()
    shownAt.current = pathname
  }, [open, pathname, onClose])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Go Live"
      description="Preview: nobody sees this yet. Viewers are simulated."
      initialFocus={() => press.current}
      footer={
        <>
          {stage.phase === 'ended' && (
            <Button variant="outline" onClick={onClose}>
              Done
            </Button>
          )}
          {/* One button through all stages: it keeps the focus. */}
          <Button
            ref={press}
            variant={stage.phase === 'live' ? 'danger' : 'ember'}
            aria-disabled={stage.phase === 'starting' || undefined}
            aria-busy={stage.phase === 'starting' || undefined}
            onClick={(event) => {
              // The second press of a double click would end what the first one began.
              if (event.detail > 1) return
              if (stage.phase === 'live') endStream()
              else void startStream()
            }}
          >
            {pressLabel(stage)}
          </Button>
        </>
      }
    >
      <StreamStudio user={user} />
    </Dialog>
  )
}

function pressLabel(stage: StreamState): string {
  switch (stage.phase) {
    case 'not live':
      return stage.problem ? 'Try again' : 'Start Live Stream'
    case 'starting':
      return 'Starting…'
    case 'live':
      return 'End Stream'
    case 'ended':
      return 'Start again'
  }
}

import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { watchIdle } from '../idle'
import { signOutAfterIdle, useCurrentUser } from '../session'

const minuteMs = 60_000

/** Signs the user out after the idle timeout from their settings. Shows a warning one minute earlier. */
export function IdleTimeoutDialog() {
  const { user } = useCurrentUser()
  if (!user?.sessionTimeout) return null
  return <IdleWarning key={user.id} userId={user.id} minutes={user.sessionTimeout} />
}

function IdleWarning({ userId, minutes }: { userId: string; minutes: number }) {
  const [isWarning, setIsWarning] = useState(false)
  const stayButton = useRef<HTMLButtonElement>(null)
  const stay = useRef<() => void>(() => undefined)
  useEffect(() => {
    const watch = watchIdle(userId, minutes * minuteMs, (state) => {
      setIsWarning(state === 'warning')
      if (state === 'over') void signOutAfterIdle(minutes)
    })
    stay.current = watch.stay
    return watch.stop
  }, [userId, minutes])
  return (
    <Dialog
      open={isWarning}
      onClose={() => stay.current()}
      role="alertdialog"
      title={t`Are you still there?`}
      description={t`You’ll be signed out in one minute.`}
      initialFocus={() => stayButton.current}
      footer={
        <Button ref={stayButton} variant="ember" onClick={() => stay.current()}>
          {t`Stay signed in`}
        </Button>
      }
    />
  )
}

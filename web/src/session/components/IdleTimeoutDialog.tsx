import { useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { watchIdle } from '../idle'
import { signOutAfterIdle, useCurrentUser } from '../session'

const minute = 60_000

/** Signs an idle browser out after the time that the person chose, with a warning a minute before. */
export function IdleTimeoutDialog() {
  const { user } = useCurrentUser()
  if (!user?.sessionTimeout) return null
  return <Watch key={user.id} userId={user.id} minutes={user.sessionTimeout} />
}

function Watch({ userId, minutes }: { userId: string; minutes: number }) {
  const [warned, setWarned] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const stay = useRef<() => void>(() => undefined)
  useEffect(() => {
    const watch = watchIdle(userId, minutes * minute, (state) => {
      setWarned(state === 'warning')
      if (state === 'over') void signOutAfterIdle(minutes)
    })
    stay.current = watch.stay
    return watch.stop
  }, [userId, minutes])
  return (
    <Dialog
      open={warned}
      onClose={() => stay.current()}
      role="alertdialog"
      title="Are you still there?"
      description="Nobody was here for a while. You will be signed out in a minute."
      initialFocus={() => button.current}
      footer={
        <Button ref={button} variant="ember" onClick={() => stay.current()}>
          Stay signed in
        </Button>
      }
    />
  )
}

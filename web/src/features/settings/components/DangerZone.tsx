import { useRef, useState } from 'react'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { DeleteAccountDialog } from './DeleteAccountDialog'
import { SettingsPanel } from './SettingsPanel'

/** What cannot be taken back. */
export function DangerZone() {
  const { user } = useCurrentUser()
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  if (!user) return null
  return (
    <SettingsPanel
      danger
      title="Danger Zone"
      text="Deleting your account is for good: nobody can bring it back. You may want to download your data first."
      action={
        <Button ref={button} variant="danger" onClick={() => setAsking(true)}>
          Delete Account
        </Button>
      }
    >
      <DeleteAccountDialog
        userId={user.id}
        open={asking}
        onClose={() => setAsking(false)}
        finalFocus={() => button.current}
      />
    </SettingsPanel>
  )
}

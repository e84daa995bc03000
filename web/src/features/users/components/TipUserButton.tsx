import type { UserDetails } from '@contract/user.ts'
import { useRef } from 'react'
import { useOpenTipDialog } from '@/billing/tips'
import { Button } from '@/ui/Button'
import { CoinIcon } from '@/ui/icons'

/** Tips the creator whose profile it is. */
export function TipUserButton({ user }: { user: UserDetails }) {
  const tip = useOpenTipDialog()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Button
      ref={button}
      variant="outline"
      aria-haspopup="dialog"
      onClick={() => tip({ creator: user, finalFocus: () => button.current })}
    >
      <CoinIcon /> Tip
    </Button>
  )
}

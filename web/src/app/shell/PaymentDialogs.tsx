import { closeUpgrade, useUpgrading } from '@/lib/creatorPro'
import { closeTip, useTipping } from '@/lib/tipping'
import { OnDemand } from './OnDemand'

const loadTip = () => import('@/features/tips/TipDialog')
const loadUpgrade = () => import('@/features/creator/components/UpgradeDialog')

/** The dialogs that ask to pay and can be opened from any screen of the shell. */
export function PaymentDialogs() {
  const { target, open } = useTipping()
  const upgrading = useUpgrading()
  return (
    <>
      {target && <OnDemand load={loadTip} props={{ target, open, onClose: closeTip }} />}
      <OnDemand load={loadUpgrade} props={{ ...upgrading, onClose: closeUpgrade }} />
    </>
  )
}

import { closeUpgradeDialog, useUpgradeDialog } from '@/billing/creator-pro'
import { closeTipDialog, useTipDialog } from '@/billing/tips'
import { LazyDialog } from './ShellDialogs'

const loadTip = () => import('@/billing/components/TipDialog')
const loadUpgrade = () => import('@/billing/components/UpgradeDialog')

/** The dialogs that ask to pay and can be opened from any screen of the shell. */
export function PaymentDialogs() {
  const { target, open } = useTipDialog()
  const upgrading = useUpgradeDialog()
  return (
    <>
      {target && <LazyDialog load={loadTip} props={{ target, open, onClose: closeTipDialog }} />}
      <LazyDialog load={loadUpgrade} props={{ ...upgrading, onClose: closeUpgradeDialog }} />
    </>
  )
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { isPriceChanged } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { usePaymentsConfig } from '../payments'
import type { Unlock } from '../unlocks'
import { PaymentMethodNotice } from './PaymentNotice'

/**
 * Asks the user to confirm the purchase of a post or photo. The button to pay is disabled until the payment mode is
 * known, and hidden if payments are off.
 */
export function UnlockDialog({
  title,
  description,
  summary,
  amount,
  unlocking: { unlock, isPending, error, reset },
  open,
  onClose,
  finalFocus,
}: {
  title: string
  /** Says what the user buys, and from whom. */
  description: ReactNode
  summary: string
  /** US dollars. */
  amount: number
  unlocking: Unlock
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const paymentsConfig = usePaymentsConfig(open)
  const price = dollars(amount)
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const isPaymentOff = paymentsConfig.payments === 'off'
  return (
    <Dialog
      open={open}
      onClose={close}
      finalFocus={finalFocus}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {isPaymentOff ? t`Close` : t`Cancel`}
          </Button>
          {!isPaymentOff && (
            <Button
              variant="gold"
              onClick={() => unlock(amount)}
              disabled={!paymentsConfig.payments}
              pending={isPending}
              pendingLabel={t`Unlocking…`}
            >
              <Trans>Pay {price}</Trans>
            </Button>
          )}
        </>
      }
    >
      <Box display="flex" alignItems="baseline" justifyContent="space-between" gap="4" paddingBlock="2">
        <Box color="muted">
          <Trans>One-time payment</Trans>
          <Box textStyle="small">{summary}</Box>
        </Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {price}
        </Box>
      </Box>
      <div role="status">
        {isPriceChanged(error) && !isPending && (
          <Box color="gold.text" fontWeight="medium" paddingBottom="2">
            <Trans>The price is now {price}. You haven't been charged.</Trans>
          </Box>
        )}
      </div>
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}

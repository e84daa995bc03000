import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon } from '@/ui/icons'
import { creatorProQuery, useUpgrade } from '../creator-pro'
import { usePaymentsConfig } from '../payments'
import { PaymentMethodNotice } from './PaymentNotice'

const benefits = [
  'A creator’s ring and badge',
  'Premium posts, and subscribers who pay you by the month',
  'Tips from the people who like what you do',
  'Analytics: who sees what you post, and what they like',
  'Earnings: what you made, and payouts of it',
]

/** Shows what Creator Pro includes and costs, and asks for confirmation before it is paid. */
export default function UpgradeDialog({
  open,
  onClose,
  finalFocus,
}: {
  open: boolean
  onClose: () => void
  finalFocus: (() => HTMLElement | null) | undefined
}) {
  const upgrade = useUpgrade()
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  const { data } = useQuery({ ...creatorProQuery, enabled: open })
  const price = dollars(data?.price ?? limits.creatorProPrice)
  const isPaymentPending = data?.plan?.state === 'pending' && payments === 'stripe'
  return (
    <Dialog
      open={open}
      onClose={() => !upgrade.isPending && onClose()}
      finalFocus={finalFocus}
      title="Upgrade to Creator Pro"
      description="Creator accounts come with Creator Pro."
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={upgrade.isPending}>
            {payments === 'off' ? 'Close' : 'Cancel'}
          </Button>
          {payments !== 'off' && (
            <Button
              variant="gold"
              onClick={() => upgrade.mutate('start', { onSuccess: onClose })}
              // Also disabled during the closing animation, so that a second click does not pay again.
              disabled={!payments || !open}
              pending={upgrade.isPending}
              pendingLabel="Upgrading…"
            >
              {isPaymentPending ? 'Continue to payment' : `Pay ${price}`}
            </Button>
          )}
        </>
      }
    >
      <Box as="ul" listStyleType="none" display="grid" gap="2.5">
        {benefits.map((text) => (
          <Box as="li" key={text} display="flex" gap="2.5">
            <Box as="span" color="gold.text" fontSize="lg" marginTop="0.5">
              <CheckIcon />
            </Box>
            {text}
          </Box>
        ))}
      </Box>
      <Box
        display="flex"
        alignItems="baseline"
        justifyContent="space-between"
        gap="4"
        marginTop="4"
        paddingBlock="3"
        borderTopWidth="1px"
      >
        <Box color="muted">Every month, until you cancel</Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {price}
        </Box>
      </Box>
      <PaymentMethodNotice {...paymentsConfig} />
    </Dialog>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { usePaymentsConfig } from '@/lib/config'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon } from '@/ui/icons'
import { creatorProQuery, useUpgrade } from '../creator-pro'
import { PaymentMethodNotice } from './PaymentMethodNotice'

const unlocked = [
  'A creator’s ring and badge',
  'Premium posts, and subscribers who pay you by the month',
  'Tips from the people who like what you do',
  'Analytics: who sees what you post, and what they like',
  'Earnings: what you made, and payouts of it',
]

/** Asks before Creator Pro is paid for: what it brings and what it costs. */
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
  const how = usePaymentsConfig(open)
  const pro = useQuery({ ...creatorProQuery, enabled: open })
  const { payments } = how
  const price = dollars(pro.data?.price ?? limits.creatorProPrice)
  const isPending = pro.data?.plan?.state === 'pending' && payments === 'stripe'
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
              onClick={() => upgrade.mutate('anew', { onSuccess: onClose })}
              // Not while it closes either: another press is meant for nothing any more.
              disabled={!payments || !open}
              pending={upgrade.isPending}
              pendingLabel="Upgrading…"
            >
              {isPending ? 'Continue to payment' : `Pay ${price}`}
            </Button>
          )}
        </>
      }
    >
      <Box as="ul" listStyleType="none" display="grid" gap="2.5">
        {unlocked.map((text) => (
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
      <PaymentMethodNotice {...how} />
    </Dialog>
  )
}

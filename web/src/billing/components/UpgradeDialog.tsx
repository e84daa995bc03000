import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { CheckIcon } from '@/ui/icons'
import { creatorProQuery, useFreeUpgrade, useUpgrade } from '../creator-pro'
import { usePaymentsConfig } from '../payments'
import { PaymentMethodNotice } from './PaymentNotice'

const benefits: [name: string, text: MessageDescriptor][] = [
  ['posts', msg`Premium posts and paid subscriptions`],
  ['tips', msg`Tips from your fans`],
  ['analytics', msg`Analytics: who sees your posts and what they like`],
  ['earnings', msg`Earnings and payouts`],
  ['badge', msg`A creator badge and a ring around your photo`],
]

/**
 * Shows what Creator Pro includes and costs, with a button that upgrades the user. If the site charges for Creator Pro,
 * the button pays for the first month.
 */
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
  const freeUpgrade = useFreeUpgrade()
  const isPending = upgrade.isPending || freeUpgrade.isPending
  const paymentsConfig = usePaymentsConfig(open)
  const { payments } = paymentsConfig
  const { data } = useQuery({ ...creatorProQuery, enabled: open })
  const price = dollars(data?.price ?? limits.creatorProPrice)
  const isFree = data?.billing === false || data?.plan?.state === 'active'
  const canPay = payments !== 'off'
  const isPaymentPending = data?.plan?.state === 'pending' && payments === 'stripe'
  return (
    <Dialog
      open={open}
      onClose={() => !isPending && onClose()}
      finalFocus={finalFocus}
      title={t`Upgrade to Creator Pro`}
      description={t`Become a creator and start earning.`}
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={isPending}>
            {isFree || canPay ? t`Cancel` : t`Close`}
          </Button>
          {isFree ? (
            <Button
              variant="gold"
              onClick={() => freeUpgrade.mutate(undefined, { onSuccess: onClose })}
              disabled={!open}
              pending={freeUpgrade.isPending}
              pendingLabel={t`Upgrading…`}
            >
              {t`Upgrade for free`}
            </Button>
          ) : (
            canPay && (
              <Button
                variant="gold"
                onClick={() => upgrade.mutate('start', { onSuccess: onClose })}
                // Also disabled during the closing animation, so that a second click does not pay again.
                disabled={!payments || !data || !open}
                pending={upgrade.isPending}
                pendingLabel={t`Upgrading…`}
              >
                {isPaymentPending ? t`Continue to payment` : t`Pay ${price}`}
              </Button>
            )
          )}
        </>
      }
    >
      <Box as="ul" listStyleType="none" display="grid" gap="2.5">
        {benefits.map(([name, text]) => (
          <Box as="li" key={name} display="flex" gap="2.5">
            <Box as="span" color="gold.text" fontSize="lg" marginTop="0.5">
              <CheckIcon />
            </Box>
            {t(text)}
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
        <Box color="muted">
          {isFree ? t`You can turn it off in Settings at any time` : t`Billed monthly, cancel any time`}
        </Box>
        <Box textStyle="heading" fontVariantNumeric="tabular-nums">
          {isFree ? t`Free for now` : price}
        </Box>
      </Box>
      {!isFree && <PaymentMethodNotice {...paymentsConfig} />}
    </Dialog>
  )
}

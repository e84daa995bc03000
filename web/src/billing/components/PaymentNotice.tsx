import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/Button'

type PaymentMode = Config['payments']

const testModeNotice = msg`Test mode: no real payments.`
const purchasesOffNotice = msg`Payments are turned off, so you can't buy anything right now.`

const notices = {
  /** Before a payment. */
  payment: {
    test: msg`Test mode. You won't be charged.`,
    stripe: msg`You'll pay on our payment provider's page, then come back here.`,
    off: purchasesOffNotice,
  },
  /** Next to purchases. */
  purchases: { test: testModeNotice, stripe: null, off: purchasesOffNotice },
  /** Next to monthly plans. */
  subscriptions: {
    test: testModeNotice,
    stripe: null,
    off: msg`Payments are turned off, so you can't buy anything right now. Your subscriptions continue.`,
  },
  /** Next to earnings and payouts. */
  earnings: {
    test: testModeNotice,
    stripe: null,
    off: msg`Payments are turned off, so you can't sell anything right now.`,
  },
} satisfies Record<string, Record<PaymentMode, MessageDescriptor | null>>

/** Shows how payments are made and whether they use real money. Shows nothing if `context` has no text for the mode. */
export function PaymentNotice({
  payments,
  context = 'payment',
}: {
  payments: PaymentMode
  context?: keyof typeof notices
}) {
  const notice = notices[context][payments]
  if (!notice) return null
  return (
    <Box textStyle="small" color="muted">
      {t(notice)}
    </Box>
  )
}

/** Shows how a payment will be made, or that the payment mode is still loading or has failed to load. */
export function PaymentMethodNotice({
  payments,
  hasFailed,
  retry,
}: {
  payments: PaymentMode | undefined
  /** The payment mode failed to load. */
  hasFailed: boolean
  retry: () => void
}) {
  return (
    <div role="status">
      {payments ? (
        <PaymentNotice payments={payments} />
      ) : (
        <Box textStyle="small" color="muted">
          {hasFailed ? (
            <Trans>
              Couldn't load payment options.{' '}
              <Button variant="link" size="sm" onClick={retry}>
                Try again
              </Button>
            </Trans>
          ) : (
            t`Loading payment options…`
          )}
        </Box>
      )}
    </div>
  )
}

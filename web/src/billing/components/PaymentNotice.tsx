import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'
import { Button } from '@/ui/Button'

type PaymentMode = Config['payments']

const testModeNotice = 'Payments are in test mode here: no money moves.'
const purchasesOffNotice = 'Payments are switched off here, so nothing can be bought at the moment.'

const notices = {
  /** Before a payment. */
  payment: {
    test: 'This is a test payment: no money moves.',
    stripe: 'You pay on the page of our payment provider and come back here.',
    off: purchasesOffNotice,
  },
  /** Next to purchases and monthly plans. */
  purchases: { test: testModeNotice, stripe: null, off: purchasesOffNotice },
  /** Next to earnings and payouts. */
  earnings: {
    test: testModeNotice,
    stripe: null,
    off: 'Payments are switched off here, so nothing can be sold at the moment.',
  },
} satisfies Record<string, Record<PaymentMode, string | null>>

/** Shows how payments are made and whether real money moves. Shows nothing if there is nothing to say in `context`. */
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
      {notice}
    </Box>
  )
}

/** Shows before a payment how it is made, or that this is still loading or failed to load. */
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
            <>
              How payments are made did not load.{' '}
              <Button variant="link" size="sm" onClick={retry}>
                Try again
              </Button>
            </>
          ) : (
            'Looking up how payments are made…'
          )}
        </Box>
      )}
    </div>
  )
}

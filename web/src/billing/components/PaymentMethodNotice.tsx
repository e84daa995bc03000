import { Box } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { Button } from '@/ui/Button'
import { PaymentNotice } from './PaymentNotice'

/** Says before a payment how it is made; until that is known, that it is not, as nothing can be paid before. */
export function PaymentMethodNotice({
  payments,
  failed,
  retry,
}: {
  payments: ComponentProps<typeof PaymentNotice>['payments'] | undefined
  /** It could not be looked up. */
  failed: boolean
  /** Looks it up again. */
  retry: () => void
}) {
  return (
    <div role="status">
      {payments ? (
        <PaymentNotice payments={payments} />
      ) : (
        <Box textStyle="small" color="muted">
          {failed ? (
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

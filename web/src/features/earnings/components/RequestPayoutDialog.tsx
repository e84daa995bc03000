import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { configQuery } from '@/lib/config'
import { paths } from '@/lib/paths'
import { useNow } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { overviewQuery } from '../api'
import { isMethodOnHold, payoutMethodsQuery } from '../payout-methods-api'
import { useRequestPayout } from '../payouts-api'
import { FormError } from './FormError'
import { PayoutForm } from './PayoutForm'
import { PayoutUnavailable } from './PayoutUnavailable'

/** Asks how much is to be paid out now, and where to. Says why not where that cannot be. */
export function RequestPayoutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useId()
  const { user } = useCurrentUser()
  const now = useNow()
  const overview = useQuery({ ...overviewQuery, enabled: open })
  const methods = useQuery({ ...payoutMethodsQuery, enabled: open })
  const { data: config } = useQuery({ ...configQuery, enabled: open })
  const { request, isPending, error, reset } = useRequestPayout(user?.id ?? '', onClose)
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const usable = methods.data?.filter((method) => !isMethodOnHold(method, now)) ?? []
  const available = overview.data?.available ?? 0
  const isEnough = available >= limits.minimumPayout
  const isKnown = overview.data !== undefined && methods.data !== undefined
  const canAsk = isKnown && isEnough && usable.length > 0
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Request Instant Payout"
      description="It is taken from your balance at once, and paid out as soon as it has been looked at."
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={isPending}>
            {canAsk ? 'Cancel' : 'Close'}
          </Button>
          {canAsk && (
            <Button variant="ember" type="submit" form={form} pending={isPending} pendingLabel="Requesting…">
              Request payout
            </Button>
          )}
          {isKnown && isEnough && methods.data.length === 0 && (
            <ButtonLink variant="ember" to={paths.earnings.getHref('payouts')} onClick={close}>
              Add a payout method
            </ButtonLink>
          )}
        </>
      }
    >
      {!isKnown && (overview.isError || methods.isError) && (
        <InlineError
          text="Your balance did not load."
          onRetry={() => void Promise.all([overview.refetch(), methods.refetch()])}
        />
      )}
      {!isKnown && !overview.isError && !methods.isError && (
        <Loading label="Loading your balance">
          <Skeleton height="12" borderRadius="md" />
          <Skeleton height="12" borderRadius="md" marginTop="4" />
        </Loading>
      )}
      {canAsk && <PayoutForm id={form} available={available} methods={methods.data} onSend={request} />}
      {isKnown && !canAsk && <PayoutUnavailable available={available} methods={methods.data} />}
      <FormError error={error} />
      {config && <PaymentNotice payments={config.payments} beside="earnings" />}
    </Dialog>
  )
}

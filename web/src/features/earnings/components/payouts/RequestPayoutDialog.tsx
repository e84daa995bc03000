import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { configQuery } from '@/lib/config'
import { useCurrentUser } from '@/lib/session'
import { useNow } from '@/lib/useNow'
import { paths } from '@/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { PaymentNote } from '@/ui/PaymentNote'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { PartFailed } from '@/ui/states'
import { isWaiting, methodsQuery } from '../../api/methods'
import { overviewQuery } from '../../api/overview'
import { useRequestPayout } from '../../api/payouts'
import { FormError } from '../FormError'
import { NotYet } from './NotYet'
import { PayoutForm } from './PayoutForm'

/** Asks how much is to be paid out now, and where to. Says why not where that cannot be. */
export function RequestPayoutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useId()
  const { user } = useCurrentUser()
  const now = useNow()
  const overview = useQuery({ ...overviewQuery, enabled: open })
  const methods = useQuery({ ...methodsQuery, enabled: open })
  const { data: config } = useQuery({ ...configQuery, enabled: open })
  const { request, isPending, error, reset } = useRequestPayout(user?.id ?? '', onClose)
  const close = () => {
    if (isPending) return
    reset()
    onClose()
  }
  const usable = methods.data?.filter((method) => !isWaiting(method, now)) ?? []
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
        <PartFailed
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
      {isKnown && !canAsk && <NotYet available={available} methods={methods.data} />}
      <FormError error={error} />
      {config && <PaymentNote payments={config.payments} beside="earnings" />}
    </Dialog>
  )
}

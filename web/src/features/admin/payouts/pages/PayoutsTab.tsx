import { Box } from '@chakra-ui/react'
import { type AdminPayout, PayoutState } from '@contract/earnings.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { errorMessage } from '@/lib/api'
import { usePaymentsConfig } from '@/lib/config'
import { SelectField } from '@/ui/Field'
import { CoinsIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { ShowMoreButton } from '@/ui/ShowMoreButton'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { UserRowsSkeleton } from '../../components/UserRowsSkeleton'
import { payoutsQuery } from '../api'
import { type PayoutDialogKind, type PayoutDialogState, PayoutDialogs } from '../components/PayoutDialogs'
import { PayoutRow } from '../components/PayoutRow'
import { payoutStateNames } from '../model'

const all = 'all'
/** What is shown where the address names nothing: what there is to do. */
const first: PayoutState = 'requested'

/** The payouts that wait; `?payouts=` shows those of another state, or all of them. */
export function PayoutsTab() {
  const id = useId()
  const [params, setParams] = useSearchParams()
  const wanted = params.get('payouts')
  const { payments } = usePaymentsConfig(true)
  const heading = useRef<HTMLHeadingElement>(null)
  const [asking, setAsking] = useState<PayoutDialogState>()
  const state = wanted === all ? undefined : (PayoutState.safeParse(wanted).data ?? first)
  const choose = (chosen: string) =>
    setParams(
      (before) => {
        if (chosen === first) before.delete('payouts')
        else before.set('payouts', chosen)
        return before
      },
      { replace: true, flushSync: true },
    )
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box
        display="flex"
        flexWrap="wrap"
        alignItems="flex-end"
        justifyContent="space-between"
        gap="4"
        padding={{ base: '4', md: '5' }}
      >
        <Box flex="1" minWidth="14rem">
          <Box as="h2" id={id} ref={heading} tabIndex={-1} textStyle="title">
            Payouts
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            What creators are to be paid.
            {payments && payments !== 'test' && ' Send the money first, then say here what became of it.'}
          </Box>
          {payments && <PaymentNotice payments={payments} beside="earnings" />}
        </Box>
        <Box width={{ base: '100%', sm: '12rem' }}>
          <SelectField label="State" value={state ?? all} onChange={({ target }) => choose(target.value)}>
            {PayoutState.options.map((one) => (
              <option key={one} value={one}>
                {payoutStateNames[one]}
              </option>
            ))}
            <option value={all}>All</option>
          </SelectField>
        </Box>
      </Box>
      <Listed
        state={state}
        onAsk={(payout, action, from) =>
          setAsking((last) => ({
            open: true,
            turn: (last?.turn ?? 0) + 1,
            action,
            payout,
            from,
            row: from.closest('li'),
          }))
        }
      />
      {asking && (
        <PayoutDialogs
          asking={asking}
          onClose={() => setAsking((now) => now && { ...now, open: false })}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}

function Listed({
  state,
  onAsk,
}: {
  state: PayoutState | undefined
  onAsk: (payout: AdminPayout, action: PayoutDialogKind, from: HTMLElement) => void
}) {
  const list = useInfiniteQuery(payoutsQuery(state))
  if (list.isPending) return <UserRowsSkeleton label="Loading payouts" />
  if (!list.data) {
    return (
      <ErrorState
        message={errorMessage(list.error, 'The payouts did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        drawing={<CoinsIllustration />}
        title={state === 'requested' ? 'No payout waits' : 'No payouts'}
        text={
          state === undefined ? 'What creators ask to be paid stands here.' : 'There are none in this state.'
        }
      />
    )
  }
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      <Box as="ul" listStyleType="none">
        {items.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} onAsk={(...what) => onAsk(payout, ...what)} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

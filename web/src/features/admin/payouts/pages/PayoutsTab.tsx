import { Box } from '@chakra-ui/react'
import { type AdminPayout, PayoutState } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { PaymentNotice } from '@/billing/components/PaymentNotice'
import { usePaymentsConfig } from '@/billing/payments'
import { errorMessage } from '@/lib/errors'
import { useUrlParams } from '@/lib/url-params'
import { SelectField } from '@/ui/Field'
import { CoinsIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { UserRowsSkeleton } from '../../components/UserNameLink'
import { payoutsQuery } from '../api'
import { type PayoutDialogKind, type PayoutDialogState, PayoutDialogs } from '../components/PayoutDialogs'
import { PayoutRow } from '../components/PayoutRow'
import { payoutStateNames } from '../model'

const all = 'all'
const defaultState: PayoutState = 'requested'

/** Shows the requested payouts. `?payouts=` selects another state, or all payouts. */
export function PayoutsTab() {
  const id = useId()
  const [params, changeParams] = useUrlParams()
  const stateParam = params.get('payouts')
  const { payments } = usePaymentsConfig(true)
  const heading = useRef<HTMLHeadingElement>(null)
  const [dialog, setDialog] = useState<PayoutDialogState>()
  const state = stateParam === all ? undefined : (PayoutState.safeParse(stateParam).data ?? defaultState)
  const selectState = (newState: string) =>
    changeParams({ payouts: newState === defaultState ? null : newState })
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
            {t`Payouts`}
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            {t`Payouts to creators.`}{' '}
            {payments && payments !== 'test' && t`Send the money first, then record the result here.`}
          </Box>
          {payments && <PaymentNotice payments={payments} context="earnings" />}
        </Box>
        <Box width={{ base: '100%', sm: '12rem' }}>
          <SelectField
            label={t`Status`}
            value={state ?? all}
            onChange={({ target }) => selectState(target.value)}
          >
            {PayoutState.options.map((option) => (
              <option key={option} value={option}>
                {t(payoutStateNames[option])}
              </option>
            ))}
            <option value={all}>{t`All payouts`}</option>
          </SelectField>
        </Box>
      </Box>
      <PayoutList
        state={state}
        onOpenDialog={(payout, kind, trigger) =>
          setDialog((previous) => ({
            open: true,
            openCount: (previous?.openCount ?? 0) + 1,
            kind,
            payout,
            trigger,
            row: trigger.closest('li'),
          }))
        }
      />
      {dialog && (
        <PayoutDialogs
          dialog={dialog}
          onClose={() => setDialog((current) => current && { ...current, open: false })}
          heading={() => heading.current}
        />
      )}
    </Card>
  )
}

function PayoutList({
  state,
  onOpenDialog,
}: {
  state: PayoutState | undefined
  onOpenDialog: (payout: AdminPayout, kind: PayoutDialogKind, trigger: HTMLElement) => void
}) {
  const list = useInfiniteQuery(payoutsQuery(state))
  if (list.isPending) return <UserRowsSkeleton label={t`Loading payouts`} />
  if (!list.data) {
    return (
      <ErrorState
        message={errorMessage(list.error, t`Couldn't load payouts. Try again.`)}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<CoinsIllustration />}
        title={state === 'requested' ? t`No pending payouts` : t`No payouts`}
        text={
          state === 'paid' || state === 'failed'
            ? t`No payouts have this status.`
            : t`Payout requests will appear here.`
        }
      />
    )
  }
  return (
    <>
      <RefreshError query={list} />
      <Box as="ul" listStyleType="none">
        {items.map((payout) => (
          <PayoutRow
            key={payout.id}
            payout={payout}
            onOpenDialog={(kind, trigger) => onOpenDialog(payout, kind, trigger)}
          />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

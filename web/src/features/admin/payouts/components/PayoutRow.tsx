import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { usePaymentsConfig } from '@/billing/payments'
import { dollars } from '@/lib/format'
import { Badge } from '@/ui/Badge'
import { Button, type ButtonProps } from '@/ui/Button'
import { TimeAgo } from '@/ui/TimeAgo'
import { UserAvatar, UserNameLink } from '../../components/UserNameLink'
import { payeeName, payoutStateNames } from '../model'
import type { PayoutDialogKind } from './PayoutDialogs'

/** @param trigger the button that opens the dialog */
type OpenDialog = (kind: PayoutDialogKind, trigger: HTMLElement) => void

const stateTones: Record<AdminPayout['state'], ComponentProps<typeof Badge>['tone']> = {
  requested: 'gold',
  paid: 'success',
  failed: 'danger',
}

/** Shows a payout: the payee, amount, destination and state, and the actions if it has not been settled yet. */
export function PayoutRow({ payout, onOpenDialog }: { payout: AdminPayout; onOpenDialog: OpenDialog }) {
  const { person: user, state } = payout
  const reference = payout.reference && <bdi>{payout.reference}</bdi>
  return (
    <Box
      as="li"
      // Receives the focus when its buttons are unmounted.
      tabIndex={-1}
      _focusVisible={{ outlineOffset: '-2px' }}
      display="grid"
      gridTemplateColumns="auto minmax(0, 1fr) auto"
      gap="4"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="4"
      borderTopWidth="1px"
    >
      <UserAvatar user={user} />
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <UserNameLink user={user} />
        </Box>
        <Box textStyle="small" color="muted">
          <bdi>{payout.methodName}</bdi> · {payout.methodDetails}
        </Box>
        <Box textStyle="small" color="muted">
          <PayoutTimes payout={payout} />
          {reference && (
            <>
              {' · '}
              <Trans>reference {reference}</Trans>
            </>
          )}
        </Box>
        {payout.failure && (
          <Box textStyle="small" color="danger.text">
            <bdi>{payout.failure}</bdi>
          </Box>
        )}
      </Box>
      <Box display="flex" flexDirection="column" alignItems="flex-end" gap="1.5">
        <Box textStyle="title" fontVariantNumeric="tabular-nums">
          {dollars(payout.amount)}
        </Box>
        {payout.isTest && <Badge>{t`Test money`}</Badge>}
        <Badge tone={stateTones[state]}>{t(payoutStateNames[state])}</Badge>
      </Box>
      {state === 'requested' && <PayoutActions payout={payout} onOpenDialog={onOpenDialog} />}
    </Box>
  )
}

function PayoutTimes({ payout: { createdAt, settledAt, kind } }: { payout: AdminPayout }) {
  const creationTime = <TimeAgo at={createdAt} />
  const settlementTime = settledAt && <TimeAgo at={settledAt} />
  return (
    <>
      {kind === 'instant' ? <Trans>Requested {creationTime}</Trans> : <Trans>Scheduled {creationTime}</Trans>}
      {settlementTime && (
        <>
          {' · '}
          <Trans>settled {settlementTime}</Trans>
        </>
      )}
    </>
  )
}

const actions: { kind: PayoutDialogKind; name: MessageDescriptor; variant: ButtonProps['variant'] }[] = [
  { kind: 'details', name: msg`Show details`, variant: 'outline' },
  { kind: 'paid', name: msg`Mark as paid`, variant: 'ember' },
  { kind: 'failed', name: msg`Mark as failed`, variant: 'ghost' },
]

function PayoutActions({ payout, onOpenDialog }: { payout: AdminPayout; onOpenDialog: OpenDialog }) {
  const amount = dollars(payout.amount)
  const payee = payeeName(payout)
  const { payments } = usePaymentsConfig(payout.isTest)
  // Outside test mode, test money cannot be paid out: the API rejects the request.
  const isPayable = !payout.isTest || payments === 'test'
  return (
    <Box gridColumn={{ base: '1 / -1', sm: '2 / -1' }} display="flex" flexWrap="wrap" gap="2">
      {actions.map(({ kind, name, variant }) => {
        if (kind === 'paid' && !isPayable) return null
        const label = t(name)
        return (
          <Button
            key={kind}
            variant={variant}
            size="sm"
            // Narrow enough that three buttons fit in a row on phones.
            paddingInline={{ base: '3', sm: '4' }}
            aria-label={t`${label}: ${amount} for ${payee}`}
            onClick={({ currentTarget }) => onOpenDialog(kind, currentTarget)}
          >
            {label}
          </Button>
        )
      })}
    </Box>
  )
}

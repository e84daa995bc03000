import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import type { ComponentProps } from 'react'
import { dollars, fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { Button, type ButtonProps } from '@/ui/Button'
import { UserNameLink } from '../../components/UserNameLink'
import { payeeName, payoutStateNames } from '../model'
import type { PayoutDialogKind } from './PayoutDialogs'

/** Told what is to be done, and what was pressed for it. */
type OnAsk = (action: PayoutDialogKind, from: HTMLElement) => void

const tones: Record<AdminPayout['state'], ComponentProps<typeof Badge>['tone']> = {
  requested: 'gold',
  paid: 'success',
  failed: 'danger',
}

/** One payout: for whom, how much, where to, how it stands, and what can be done while it waits. */
export function PayoutRow({ payout, onAsk }: { payout: AdminPayout; onAsk: OnAsk }) {
  const { person, state } = payout
  const name = payeeName(payout)
  return (
    <Box
      as="li"
      // Gets the focus when its buttons go.
      tabIndex={-1}
      _focusVisible={{ outlineOffset: '-2px' }}
      display="grid"
      gridTemplateColumns="auto minmax(0, 1fr) auto"
      gap="4"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="4"
      borderTopWidth="1px"
    >
      <Avatar
        person={person ? { ...person, displayName: name } : { displayName: name, profileImageUrl: null }}
      />
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <UserNameLink person={person} name={name} />
        </Box>
        <Box textStyle="small" color="muted">
          <bdi>{payout.methodName}</bdi> · {payout.methodDetails}
        </Box>
        <Box textStyle="small" color="muted">
          <When payout={payout} />
          {payout.reference && (
            <>
              {' '}
              · reference <bdi>{payout.reference}</bdi>
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
        <Badge tone={tones[state]}>{payoutStateNames[state]}</Badge>
      </Box>
      {state === 'requested' && <Actions payout={payout} onAsk={onAsk} />}
    </Box>
  )
}

function When({ payout: { createdAt, settledAt, kind } }: { payout: AdminPayout }) {
  const now = useNow()
  return (
    <>
      {kind === 'instant' ? 'Requested' : 'Scheduled'}{' '}
      <time dateTime={createdAt} title={fullTime(createdAt)}>
        {timeAgo(createdAt, now)}
      </time>
      {settledAt && (
        <>
          {' '}
          · settled{' '}
          <time dateTime={settledAt} title={fullTime(settledAt)}>
            {timeAgo(settledAt, now)}
          </time>
        </>
      )}
    </>
  )
}

const actions: { action: PayoutDialogKind; label: string; variant: ButtonProps['variant'] }[] = [
  { action: 'details', label: 'Show details', variant: 'outline' },
  { action: 'paid', label: 'Mark as paid', variant: 'ember' },
  { action: 'failed', label: 'Mark as failed', variant: 'ghost' },
]

function Actions({ payout, onAsk }: { payout: AdminPayout; onAsk: OnAsk }) {
  return (
    <Box gridColumn={{ base: '1 / -1', sm: '2 / -1' }} display="flex" flexWrap="wrap" gap="2">
      {actions.map(({ action, label, variant }) => (
        <Button
          key={action}
          variant={variant}
          size="sm"
          // All three beside each other on a phone.
          paddingInline={{ base: '3', sm: '4' }}
          aria-label={`${label}: ${dollars(payout.amount)} for ${payeeName(payout)}`}
          onClick={({ currentTarget }) => onAsk(action, currentTarget)}
        >
          {label}
        </Button>
      ))}
    </Box>
  )
}

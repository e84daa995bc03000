import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router-dom'
import { dollars, fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/useNow'
import { paths } from '@/paths'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { Badge } from '@/ui/CountBadge'
import { payee, stateNames } from '../words'
import { DetailsDialog } from './DetailsDialog'
import { FailedDialog } from './FailedDialog'
import { PaidDialog } from './PaidDialog'

const tones: Record<AdminPayout['state'], ComponentProps<typeof Badge>['tone']> = {
  requested: 'gold',
  paid: 'success',
  failed: 'danger',
}

/** One payout: for whom, how much, where to, how it stands, and what can be done while it waits. */
export function PayoutRow({ payout }: { payout: AdminPayout }) {
  const { person, state } = payout
  const name = payee(payout)
  return (
    <Box
      as="li"
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
          {person ? (
            <Box asChild _hover={{ textDecoration: 'underline' }}>
              <Link to={paths.profile.getHref(person.handle)}>
                <bdi>{name}</bdi>
              </Link>
            </Box>
          ) : (
            name
          )}
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
        <Badge tone={tones[state]}>{stateNames[state]}</Badge>
      </Box>
      {state === 'requested' && <Actions payout={payout} name={name} />}
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

function Actions({ payout, name }: { payout: AdminPayout; name: string }) {
  const [open, setOpen] = useState<'details' | 'paid' | 'failed' | null>(null)
  const close = () => setOpen(null)
  const of = `${dollars(payout.amount)} for ${name}`
  return (
    <Box gridColumn={{ base: '1 / -1', sm: '2 / -1' }} display="flex" flexWrap="wrap" gap="2">
      <Button
        variant="outline"
        size="sm"
        aria-label={`Show details: ${of}`}
        onClick={() => setOpen('details')}
      >
        Show details
      </Button>
      <Button variant="ember" size="sm" aria-label={`Mark as paid: ${of}`} onClick={() => setOpen('paid')}>
        Mark as paid
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Mark as failed: ${of}`}
        onClick={() => setOpen('failed')}
      >
        Mark as failed
      </Button>
      <DetailsDialog payout={payout} open={open === 'details'} onClose={close} />
      <PaidDialog payout={payout} open={open === 'paid'} onClose={close} />
      <FailedDialog payout={payout} open={open === 'failed'} onClose={close} />
    </Box>
  )
}

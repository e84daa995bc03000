import { Box, chakra } from '@chakra-ui/react'
import type { AdminStats, AdminUserFilter } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { errorMessage } from '@/lib/errors'
import { formatCount, numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { BanIcon, BankIcon, FlagIcon, PeopleIcon, ReplyIcon, ShieldIcon, StarIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userStatsQuery } from '../api'

/** Lays out the cards in a row. On small screens, the row scrolls horizontally and fades out at its end. */
const Strip = chakra('ul', {
  base: {
    display: 'grid',
    gridAutoFlow: 'column',
    gridAutoColumns: { base: '8.75rem', lg: 'minmax(0, 1fr)' },
    gap: '2',
    listStyleType: 'none',
    // Leaves room for the focus ring of a card.
    paddingBlock: '0.5',
    paddingInlineStart: { base: '4', md: '0.5' },
    paddingInlineEnd: { base: '8', lg: '0.5' },
    marginInline: { md: '-0.5' },
    overflowX: { base: 'auto', lg: 'visible' },
    maskImage: {
      base: 'linear-gradient(to right, {colors.text} calc(100% - {spacing.8}), transparent)',
      lg: 'none',
    },
    scrollbarWidth: 'none',
  },
})

const CountLink = chakra(Link, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    height: 'full',
    paddingBlock: '3',
    paddingInline: '2.5',
    bg: 'surface',
    borderWidth: '1px',
    borderColor: 'hairline',
    borderRadius: 'lg',
    fontVariantNumeric: 'tabular-nums',
    transition: 'border-color {durations.fast}, background-color {durations.fast}',
    _hover: { borderColor: 'outline' },
    _focusVisible: { outlineOffset: '0' },
  },
})

const filterHref = (filter: AdminUserFilter) => `${paths.admin.getHref('people')}&filter=${filter}`

/** Shows the numbers of open tasks and of users, each linked to its list. */
export function UserStats({ onFilter }: { onFilter: () => void }) {
  const { data, error, isError, refetch } = useQuery(userStatsQuery)
  if (!data && isError) {
    return (
      <Card>
        <InlineError
          text={errorMessage(error, t`Couldn't load the statistics. Try again.`)}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  }
  return (
    <Box as="section" aria-label={t`Overview`} minWidth="0">
      {!data && <Loading label={t`Loading statistics`} />}
      <Strip>
        <Count
          name={t`Open reports`}
          icon={<FlagIcon />}
          value={data?.openCases}
          to={`${paths.admin.getHref('reports')}&cases=open`}
          isTask
        />
        <Count
          name={t`Open appeals`}
          icon={<ReplyIcon />}
          value={data?.openAppeals}
          to={`${paths.admin.getHref('reports')}&cases=appealed`}
          isTask
        />
        <Count
          name={t`Pending payouts`}
          icon={<BankIcon />}
          value={data?.waitingPayouts}
          to={paths.admin.getHref('payouts')}
          isTask
        />
        <Count
          name={t({ message: 'Suspended', context: 'users' })}
          icon={<BanIcon />}
          value={data?.suspended}
          to={filterHref('suspended')}
          onClick={onFilter}
          note={data && shareOfUsers(data.suspended, data)}
        />
        <Count
          name={t`Total Users`}
          icon={<PeopleIcon />}
          value={data?.totalUsers}
          to={filterHref('all')}
          onClick={onFilter}
          note={data && growth(data)}
        />
        <Count
          name={t`Creators`}
          icon={<StarIcon />}
          value={data?.creators}
          to={filterHref('creators')}
          onClick={onFilter}
          note={data && shareOfUsers(data.creators, data)}
        />
        <Count
          name={t`Admins`}
          icon={<ShieldIcon />}
          value={data?.admins}
          to={filterHref('admins')}
          onClick={onFilter}
          note={data && shareOfUsers(data.admins, data)}
        />
      </Strip>
    </Box>
  )
}

function growth({ newThisWeek }: AdminStats): string | undefined {
  if (newThisWeek === 0) return
  const count = formatCount(newThisWeek)
  return t`+${count} this week`
}

function shareOfUsers(count: number, { totalUsers }: AdminStats): string | undefined {
  if (totalUsers === 0) return
  const share = numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(count / totalUsers)
  return t`${share} of users`
}

/** @param isTask whether the card counts open tasks, which are highlighted unless there are none */
function Count({
  name,
  icon,
  value,
  note,
  isTask = false,
  ...link
}: {
  name: string
  icon: ReactNode
  value: number | undefined
  note?: string | undefined
  to: string
  isTask?: boolean
  onClick?: () => void
}) {
  const isHighlighted = isTask && value !== undefined && value > 0
  const color = isHighlighted ? 'ember.text' : undefined
  return (
    <li>
      <CountLink {...link} replace>
        <Box display="flex" alignItems="flex-start" justifyContent="space-between">
          <Box textStyle="figure" fontSize="2xl" color={color}>
            {value === undefined ? <Skeleton height="6" width="10" marginBlock="1" /> : formatCount(value)}
          </Box>
          <Box aria-hidden fontSize="xl" color={color ?? 'muted'}>
            {icon}
          </Box>
        </Box>
        <Box textStyle="small" fontWeight="medium" lineHeight="snug" marginTop="1">
          {name}
        </Box>
        {/* Reserves the line while the number loads. */}
        <Box textStyle="caption" color="muted" marginTop="0.5" minHeight="1lh">
          {note ?? (isTask && value !== undefined && (value > 0 ? t`Needs review` : t`Nothing to review`))}
        </Box>
      </CountLink>
    </li>
  )
}

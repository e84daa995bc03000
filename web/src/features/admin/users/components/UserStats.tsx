import { Box, chakra } from '@chakra-ui/react'
import type { AdminStats, AdminUserFilter } from '@contract/admin.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { errorMessage } from '@/lib/errors'
import { formatCount, numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userStatsQuery } from '../api'

/** The counts are a single line. On small screens, it scrolls horizontally and fades out at its end. */
const Strip = chakra('ul', {
  base: {
    display: 'flex',
    flexWrap: { base: 'nowrap', lg: 'wrap' },
    justifyContent: 'space-between',
    listStyleType: 'none',
    paddingInlineStart: { base: '1', md: '2', lg: '3.5' },
    paddingInlineEnd: { base: '8', lg: '3.5' },
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
    alignItems: 'center',
    gap: { base: '1.5', lg: '1' },
    minHeight: '10',
    '@media (pointer: coarse)': { minHeight: 'target' },
    paddingInline: { base: '3', lg: '1.5' },
    textStyle: 'small',
    color: 'muted',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    borderRadius: 'sm',
    transition: 'color {durations.fast}',
    _hover: { color: 'text', textDecoration: 'underline' },
    _focusVisible: { outlineOffset: '-2px' },
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
  const newThisWeek = data?.newThisWeek ?? 0
  return (
    <Card as="section" aria-label={t`Overview`}>
      {!data && <Loading label={t`Loading statistics`} />}
      <Strip>
        <Count
          name={t`Open reports`}
          value={data?.openCases}
          to={`${paths.admin.getHref('reports')}&cases=open`}
          kind="tasks"
        />
        <Count
          name={t`Open appeals`}
          value={data?.openAppeals}
          to={`${paths.admin.getHref('reports')}&cases=appealed`}
          kind="tasks"
        />
        <Count
          name={t`Pending payouts`}
          value={data?.waitingPayouts}
          to={paths.admin.getHref('payouts')}
          kind="tasks"
        />
        <Count
          name={t({ message: 'Suspended', context: 'users' })}
          value={data?.suspended}
          to={filterHref('suspended')}
          kind="state"
          onClick={onFilter}
        />
        <Count
          name={t`Total Users`}
          value={data?.totalUsers}
          to={filterHref('all')}
          kind="total"
          onClick={onFilter}
          title={
            newThisWeek > 0
              ? t`${plural(newThisWeek, { one: '# new this week', other: '# new this week' })}`
              : undefined
          }
        />
        <Count
          name={t`Creators`}
          value={data?.creators}
          to={filterHref('creators')}
          kind="total"
          onClick={onFilter}
          title={data && creatorShare(data)}
        />
        <Count
          name={t`Admins`}
          value={data?.admins}
          to={filterHref('admins')}
          kind="total"
          onClick={onFilter}
        />
      </Strip>
    </Card>
  )
}

function creatorShare({ creators, totalUsers }: AdminStats): string | undefined {
  if (totalUsers === 0) return
  const share = numberFormat({ style: 'percent' }).format(creators / totalUsers)
  return t`${share} of all users`
}

const countColors = { tasks: 'ember.text', state: 'text', total: 'muted' } as const

/** @param kind the number of open tasks is highlighted unless it is 0; a total is not */
function Count({
  name,
  value,
  kind,
  ...link
}: {
  name: string
  value: number | undefined
  to: string
  kind: 'tasks' | 'state' | 'total'
  title?: string | undefined
  onClick?: () => void
}) {
  return (
    <li>
      <CountLink {...link} replace>
        {name}{' '}
        {value === undefined ? (
          <Skeleton as="span" height="3.5" width="1.25rem" />
        ) : (
          <Box as="span" fontWeight="semibold" color={value > 0 ? countColors[kind] : 'muted'}>
            {formatCount(value)}
          </Box>
        )}
      </CountLink>
    </li>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import type { AdminStats, AdminUserFilter } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { errorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userStatsQuery } from '../api'

/** Lays out the counts in a row. On small screens, the row scrolls horizontally and fades out at its end. */
const Strip = chakra('ul', {
  base: {
    display: 'flex',
    listStyleType: 'none',
    overflowX: 'auto',
    scrollbarWidth: 'none',
    maskImage: {
      base: 'linear-gradient(to right, {colors.text} calc(100% - {spacing.8}), transparent)',
      lg: 'none',
    },
    '& > li': { flex: '1 0 auto', borderInlineStartWidth: '1px' },
    '& > li:first-of-type': { borderInlineStartWidth: '0' },
  },
})

const CountLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    height: 'target',
    paddingInline: '3',
    textStyle: 'small',
    color: 'muted',
    whiteSpace: 'nowrap',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    _hover: { bg: 'hover', color: 'text' },
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
  return (
    <Card as="section" aria-label={t`Overview`} minWidth="0" overflow="hidden">
      {!data && <Loading label={t`Loading statistics`} />}
      <Strip>
        <Count
          name={t`Open reports`}
          value={data?.openCases}
          to={`${paths.admin.getHref('reports')}&cases=open`}
          isTask
        />
        <Count
          name={t`Open appeals`}
          value={data?.openAppeals}
          to={`${paths.admin.getHref('reports')}&cases=appealed`}
          isTask
        />
        <Count
          name={t`Pending payouts`}
          value={data?.waitingPayouts}
          to={paths.admin.getHref('payouts')}
          isTask
        />
        <Count
          name={t({ message: 'Suspended', context: 'users' })}
          value={data?.suspended}
          to={filterHref('suspended')}
          onClick={onFilter}
        />
        <Count
          name={t`Total Users`}
          value={data?.totalUsers}
          to={filterHref('all')}
          onClick={onFilter}
          title={data && growth(data)}
        />
        <Count name={t`Creators`} value={data?.creators} to={filterHref('creators')} onClick={onFilter} />
        <Count name={t`Admins`} value={data?.admins} to={filterHref('admins')} onClick={onFilter} />
      </Strip>
    </Card>
  )
}

function growth({ newThisWeek }: AdminStats): string | undefined {
  if (newThisWeek === 0) return
  const count = formatCount(newThisWeek)
  return t`+${count} this week`
}

/** @param isTask whether the count is of open tasks, which is highlighted unless it is 0 */
function Count({
  name,
  value,
  isTask = false,
  ...link
}: {
  name: string
  value: number | undefined
  to: string
  title?: string | undefined
  isTask?: boolean
  onClick?: () => void
}) {
  const isHighlighted = isTask && value !== undefined && value > 0
  return (
    <li>
      <CountLink {...link} replace>
        <Box
          as="span"
          fontSize="md"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          color={isHighlighted ? 'ember.text' : 'text'}
        >
          {value === undefined ? <Skeleton height="4" width="5" /> : formatCount(value)}
        </Box>
        {name}
      </CountLink>
    </li>
  )
}

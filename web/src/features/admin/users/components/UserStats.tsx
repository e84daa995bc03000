import { Box, chakra } from '@chakra-ui/react'
import type { AdminStats, AdminUserFilter } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { errorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Sparkline } from '@/ui/charts/Sparkline'
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
    '& > li': { flex: { base: '1 0 auto', lg: '1 1 0' }, borderInlineStartWidth: '1px' },
    '& > li:first-of-type': { borderInlineStartWidth: '0' },
  },
})

const CountLink = chakra(Link, {
  base: {
    display: 'block',
    height: 'full',
    paddingInline: { base: '4', md: '5' },
    paddingBlock: '2.5',
    textStyle: 'small',
    color: 'muted',
    whiteSpace: 'nowrap',
    transition: 'background-color {durations.fast}, color {durations.fast}',
    _hover: { bg: 'hover', color: 'text' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const filterHref = (filter: AdminUserFilter) => `${paths.admin.getHref('people')}&filter=${filter}`

/** Shows the user counts, each linked to the corresponding list. */
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
          name={t`Total Users`}
          value={data?.totalUsers}
          to={filterHref('all')}
          onClick={onFilter}
          trend={data && <SignUps stats={data} />}
        />
        <Count name={t`Creators`} value={data?.creators} to={filterHref('creators')} onClick={onFilter} />
        <Count name={t`Admins`} value={data?.admins} to={filterHref('admins')} onClick={onFilter} />
        <Count
          name={t({ message: 'Suspended', context: 'users' })}
          value={data?.suspended}
          to={filterHref('suspended')}
          onClick={onFilter}
        />
      </Strip>
    </Card>
  )
}

/** Shows the number of new users on each of the last 30 days as a line, and the total of the last seven days. */
function SignUps({ stats: { signUps, newThisWeek } }: { stats: AdminStats }) {
  const count = formatCount(newThisWeek)
  return (
    <>
      <Box as="span" width="14" flexShrink="0" css={{ '& > svg': { height: '5' } }}>
        <Sparkline values={signUps} />
      </Box>
      {newThisWeek > 0 && (
        <Box as="span" color="success.text">
          {t`+${count} this week`}
        </Box>
      )}
    </>
  )
}

/** @param trend what changed recently, shown after the value */
function Count({
  name,
  value,
  trend,
  ...link
}: {
  name: string
  value: number | undefined
  to: string
  trend?: ReactNode
  onClick: () => void
}) {
  return (
    <li>
      <CountLink {...link} replace>
        {name}
        <Box display="flex" alignItems="center" gap="3" minHeight="6">
          <Box as="span" textStyle="title" fontVariantNumeric="tabular-nums" color="text">
            {value === undefined ? <Skeleton height="4" width="5" /> : formatCount(value)}
          </Box>
          {trend}
        </Box>
      </CountLink>
    </li>
  )
}

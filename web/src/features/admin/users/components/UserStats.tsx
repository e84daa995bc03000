import { Box, chakra } from '@chakra-ui/react'
import type { AdminStats, AdminUserFilter } from '@contract/admin.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { errorMessage } from '@/lib/errors'
import { formatCount, numberFormat } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/layout'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { userStatsQuery } from '../api'

const Grid = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    gap: { base: '2', md: '4' },
    paddingInline: { base: '2', md: '0' },
    listStyleType: 'none',
  },
})

const AttentionGrid = chakra('ul', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
    gap: { base: '2', md: '4' },
    marginTop: { base: '2', md: '4' },
    paddingInline: { base: '2', md: '0' },
    listStyleType: 'none',
  },
})

const Tile = chakra(Link, {
  base: {
    display: 'block',
    height: '100%',
    hyphens: 'auto',
    bg: 'surface',
    borderWidth: '1px',
    borderRadius: 'lg',
    paddingInline: { base: '3', md: '5' },
    paddingBlock: { base: '3', md: '4' },
    transition: 'background-color {durations.fast}',
    _hover: { bg: 'hover' },
  },
})

const filterHref = (filter: AdminUserFilter) => `${paths.admin.getHref('people')}&filter=${filter}`

/** Shows the numbers of users and of open tasks, each linked to its list. */
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
    <section aria-label={t`Overview`}>
      {!data && <Loading label={t`Loading statistics`} />}
      <Grid>
        <UserCount name={t`Total Users`} value={data?.totalUsers} to={filterHref('all')} onClick={onFilter}>
          {newThisWeek > 0 && t`${plural(newThisWeek, { one: '# new this week', other: '# new this week' })}`}
        </UserCount>
        <UserCount name={t`Creators`} value={data?.creators} to={filterHref('creators')} onClick={onFilter}>
          {data && creatorShare(data)}
        </UserCount>
        <UserCount name={t`Admins`} value={data?.admins} to={filterHref('admins')} onClick={onFilter} />
      </Grid>
      <AttentionGrid>
        <TaskCount
          name={t`Open reports`}
          value={data?.openCases}
          to={`${paths.admin.getHref('reports')}&cases=open`}
        />
        <TaskCount
          name={t`Open appeals`}
          value={data?.openAppeals}
          to={`${paths.admin.getHref('reports')}&cases=appealed`}
        />
        <TaskCount
          name={t`Pending payouts`}
          value={data?.waitingPayouts}
          to={paths.admin.getHref('payouts')}
        />
        <TaskCount
          name={t({ message: 'Suspended', context: 'users' })}
          value={data?.suspended}
          to={filterHref('suspended')}
          color="text"
          onClick={onFilter}
        />
      </AttentionGrid>
    </section>
  )
}

function creatorShare({ creators, totalUsers }: AdminStats): string {
  if (totalUsers === 0) return ''
  const share = numberFormat({ style: 'percent' }).format(creators / totalUsers)
  return t`${share} of all users`
}

type CountProps = { name: string; value: number | undefined; to: string; onClick?: () => void }

function UserCount({ name, value, to, onClick, children }: CountProps & { children?: ReactNode }) {
  return (
    <li>
      <Tile to={to} replace onClick={onClick}>
        <Box as="span" display="block" textStyle="small" color="muted" hyphens="auto">
          {name}
        </Box>
        {value === undefined ? (
          <Skeleton height="8" width="4rem" marginTop="1" />
        ) : (
          <Box as="span" display="block" textStyle="display" fontVariantNumeric="tabular-nums">
            {formatCount(value)}
          </Box>
        )}
        <Box as="span" display="block" minHeight="1.125rem" textStyle="caption" color="muted">
          {children}
        </Box>
      </Tile>
    </li>
  )
}

/** Shows a number, highlighted unless it is 0. Set `color` if it is not a number of open tasks. */
function TaskCount({
  name,
  value,
  to,
  color = 'ember.text',
  onClick,
}: CountProps & { color?: 'ember.text' | 'text' }) {
  return (
    <li>
      <Tile
        to={to}
        replace
        onClick={onClick}
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        minHeight="target"
        paddingBlock={{ base: '2', md: '3' }}
      >
        <Box as="span" textStyle="small" color={value ? 'text' : 'muted'}>
          {name}
        </Box>
        {value === undefined ? (
          <Skeleton height="5" width="1.5rem" />
        ) : (
          <Box
            as="span"
            textStyle="title"
            fontVariantNumeric="tabular-nums"
            color={value > 0 ? color : 'muted'}
          >
            {formatCount(value)}
          </Box>
        )}
      </Tile>
    </li>
  )
}

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
    gap: { base: '2', md: '3' },
    paddingInline: { base: '2', md: '0' },
    listStyleType: 'none',
  },
  variants: {
    content: {
      tasks: {
        gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
      },
      totals: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', marginTop: { base: '2', md: '3' } },
    },
  },
})

const Tile = chakra(Link, {
  base: {
    display: 'flex',
    height: '100%',
    minHeight: 'target',
    hyphens: 'auto',
    fontVariantNumeric: 'tabular-nums',
    bg: 'surface',
    borderWidth: '1px',
    borderRadius: 'lg',
    paddingInline: { base: '3', md: '5' },
    transition: 'background-color {durations.fast}',
    _hover: { bg: 'hover' },
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
    <section aria-label={t`Overview`}>
      {!data && <Loading label={t`Loading statistics`} />}
      <Grid content="tasks">
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
      </Grid>
      <Grid content="totals">
        <UserCount name={t`Total Users`} value={data?.totalUsers} to={filterHref('all')} onClick={onFilter}>
          {newThisWeek > 0 && t`${plural(newThisWeek, { one: '# new this week', other: '# new this week' })}`}
        </UserCount>
        <UserCount name={t`Creators`} value={data?.creators} to={filterHref('creators')} onClick={onFilter}>
          {data && creatorShare(data)}
        </UserCount>
        <UserCount name={t`Admins`} value={data?.admins} to={filterHref('admins')} onClick={onFilter} />
      </Grid>
    </section>
  )
}

function creatorShare({ creators, totalUsers }: AdminStats): string {
  if (totalUsers === 0) return ''
  const share = numberFormat({ style: 'percent' }).format(creators / totalUsers)
  return t`${share} of all users`
}

type CountProps = { name: string; value: number | undefined; to: string; onClick?: () => void }

/** Shows a total on one line, or on two lines on phones. `children` is a detail for which only wide screens have space. */
function UserCount({ name, value, to, onClick, children }: CountProps & { children?: ReactNode }) {
  return (
    <li>
      <Tile
        to={to}
        replace
        onClick={onClick}
        flexDirection={{ base: 'column', md: 'row' }}
        alignItems={{ md: 'center' }}
        columnGap="2"
        paddingBlock="2"
      >
        <Box as="span" textStyle={{ base: 'caption', md: 'small' }} color="muted">
          {name}
        </Box>{' '}
        {value === undefined ? (
          <Skeleton height="4" width="1.75rem" />
        ) : (
          <Box as="span" textStyle="label">
            {formatCount(value)}
          </Box>
        )}{' '}
        <Box as="span" hideBelow="lg" textStyle="caption" color="muted" marginInlineStart="auto">
          {children}
        </Box>
      </Tile>
    </li>
  )
}

/** Shows a large number, highlighted unless it is 0. Set `color` if it is not a number of open tasks. */
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
        flexDirection={{ base: 'row', md: 'column' }}
        alignItems={{ base: 'center', md: 'flex-start' }}
        justifyContent="space-between"
        columnGap="2"
        paddingBlock={{ base: '2', md: '4' }}
      >
        <Box as="span" textStyle="small" color={value ? 'text' : 'muted'} minWidth="0">
          {name}
        </Box>{' '}
        {value === undefined ? (
          <Skeleton height={{ base: '1.875rem', md: '2.375rem' }} width="2rem" />
        ) : (
          <Box as="span" textStyle={{ base: 'heading', md: 'display' }} color={value > 0 ? color : 'muted'}>
            {formatCount(value)}
          </Box>
        )}
      </Tile>
    </li>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { type AdminCase, reportReasons } from '@contract/moderation.ts'
import type { UserCard } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { translateServerText } from '@/lib/errors'
import { dollars, formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { uniqueItems } from '@/lib/query-cache'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { ChevronDownIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { InlineError } from '@/ui/states'
import { CompactAge } from '@/ui/TimeAgo'
import { userTextLine } from '@/ui/UserText'
import { useMinWidth } from '@/ui/useMinWidth'
import { UserAvatar } from '../../components/UserNameLink'
import { casesQuery } from '../../moderation/api'
import { decisionStateNames, subjectKindNames } from '../../moderation/model'
import { payoutsQuery } from '../../payouts/api'
import { settingsQuery } from '../../settings/api'
import { isFailing, jobsQuery } from '../../system/api'
import { FailingJobsAlert } from '../../system/components/JobSchedule'
import { userName } from '../../user-name'
import { userStatsQuery } from '../api'
import { userCasesHref, userFilterNames } from '../model'

/** The maximum number of tasks of each kind to show on wide screens. */
const maxRows = 3

/** A report or an appeal that awaits a decision, or a payout that awaits settlement. */
type Task = {
  id: string
  user: UserCard | null
  /** What the task is about, in a few words. */
  summary: string
  at: string
  /** Whether the task becomes overdue after a day. Payouts do not, because they are settled weekly. */
  isDueInADay: boolean
  href: string
}

/**
 * Shows the most urgent open reports and appeals and the oldest pending payouts, each with a link. Also shows how many
 * accounts await approval, and which jobs are late or failing. On phones, there is room only for the number of tasks of
 * each kind, so the tasks are not loaded.
 *
 * @param onFilter called when the link to the accounts that await approval is clicked
 */
export function OpenTasks({ onFilter }: { onFilter: () => void }) {
  const { data: stats, isError } = useQuery(userStatsQuery)
  const { data: jobs } = useQuery(jobsQuery)
  const { data: settings } = useQuery(settingsQuery)
  const enabled = useMinWidth('md')
  const cases = { kind: undefined, userId: undefined, sort: 'attention' } as const
  const reports = useInfiniteQuery({ ...casesQuery({ ...cases, state: 'open' }), enabled })
  const appeals = useInfiniteQuery({ ...casesQuery({ ...cases, state: 'appealed' }), enabled })
  const payouts = useInfiniteQuery({ ...payoutsQuery('requested'), enabled })
  const id = useId()
  const unapproved = settings?.requireApproval ? (stats?.unapproved ?? 0) : 0
  const total =
    stats &&
    jobs &&
    settings &&
    stats.openCases + stats.openAppeals + stats.waitingPayouts + unapproved + jobs.filter(isFailing).length
  return (
    <Box as="section" aria-labelledby={id} display="grid" gap="2">
      <Box display="flex" alignItems="center" gap="2.5" paddingInline={{ base: '4', md: '0' }} paddingTop="1">
        <Box as="h2" id={id} textStyle="title">
          {t`Needs attention`}
        </Box>
        {total !== undefined && total > 0 && <Badge tone="ember">{formatCount(total)}</Badge>}
        {total === 0 && (
          <Box textStyle="small" color="muted">
            {t`Nothing needs attention`}
          </Box>
        )}
      </Box>
      <FailingJobsAlert />
      <Columns>
        <TaskColumn
          name={t`Open reports`}
          emptyText={t`No open reports`}
          count={isError && !stats ? null : stats?.openCases}
          list={reports}
          tasks={reports.data && uniqueItems(reports.data.pages).map(reportTask)}
          href={`${paths.admin.getHref('reports')}&cases=open&sort=attention`}
        />
        <TaskColumn
          name={t`Open appeals`}
          emptyText={t`No open appeals`}
          count={isError && !stats ? null : stats?.openAppeals}
          list={appeals}
          tasks={appeals.data && uniqueItems(appeals.data.pages).map(appealTask)}
          href={`${paths.admin.getHref('reports')}&cases=appealed&sort=attention`}
        />
        <TaskColumn
          name={t`Pending payouts`}
          emptyText={t`No pending payouts`}
          count={isError && !stats ? null : stats?.waitingPayouts}
          list={payouts}
          tasks={payouts.data && uniqueItems(payouts.data.pages).map(payoutTask)}
          href={paths.admin.getHref('payouts')}
        />
        {unapproved > 0 && (
          <Box gridColumn="1 / -1" borderTopWidth="1px">
            <HeaderLink to={`${paths.admin.getHref('people')}&filter=unapproved`} replace onClick={onFilter}>
              <Box
                as="span"
                fontVariantNumeric="tabular-nums"
                color="ember.text"
                minWidth={{ base: '5', md: 'auto' }}
              >
                {formatCount(unapproved)}
              </Box>
              {t(userFilterNames.unapproved)}
            </HeaderLink>
          </Box>
        )}
      </Columns>
    </Box>
  )
}

function reportTask({ id, kind, person, personId, reasons, reports, movedAt }: AdminCase): Task {
  const kindName = t(subjectKindNames[kind])
  const reason = reasons[0] && translateServerText(reportReasons[reasons[0].reason])
  const count = t`${plural(reports, { one: '# report', other: '# reports' })}`
  return {
    id,
    user: person,
    summary: [kindName, reason, (reports > 1 || !reason) && count].filter(Boolean).join(' · '),
    at: movedAt,
    isDueInADay: true,
    href: userCasesHref(personId),
  }
}

function appealTask({ id, kind, person, personId, decision, movedAt }: AdminCase): Task {
  const kindName = t(subjectKindNames[kind])
  return {
    id,
    user: person,
    summary: decision ? `${kindName} · ${t(decisionStateNames[decision])}` : kindName,
    at: movedAt,
    isDueInADay: true,
    href: userCasesHref(personId, 'appealed'),
  }
}

const payoutTask = ({ id, person, amount, methodName, createdAt }: AdminPayout): Task => ({
  id,
  user: person,
  summary: `${dollars(amount)} · ${methodName}`,
  at: createdAt,
  isDueInADay: false,
  href: paths.admin.getHref('payouts'),
})

const Columns = chakra(Card, {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
    overflow: 'hidden',
    '& > section + section': {
      borderTopWidth: { base: '1px', md: '0' },
      borderInlineStartWidth: { base: '0', md: '1px' },
    },
  },
})

const HeaderLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minHeight: 'target',
    paddingInline: '4',
    textStyle: 'label',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const TaskLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '12',
    paddingInline: '4',
    borderTopWidth: '1px',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** Shows one kind of task: the number of tasks, linked to the full list, and the first tasks. */
function TaskColumn({
  name,
  emptyText,
  count,
  list,
  tasks,
  href,
}: {
  name: string
  emptyText: string
  /** Undefined while it loads, null if it could not be loaded. */
  count: number | undefined | null
  list: { isError: boolean; refetch: () => Promise<unknown> }
  /** Undefined until they have loaded. */
  tasks: Task[] | undefined
  href: string
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3>
        <HeaderLink to={href} replace>
          <Box
            as="span"
            fontVariantNumeric="tabular-nums"
            color={count ? 'ember.text' : 'muted'}
            minWidth={{ base: '5', md: 'auto' }}
          >
            {count === undefined ? <Skeleton height="4" width="4" /> : count !== null && formatCount(count)}
          </Box>
          <span id={id}>{name}</span>
          <Box
            as="span"
            display="inline-flex"
            alignItems="center"
            marginInlineStart="auto"
            textStyle="small"
            color="muted"
            whiteSpace="nowrap"
          >
            <Box as="span" hideBelow="md" color="ember.text" fontWeight="medium">
              {t`View all`}
            </Box>
            <Box as="span" hideFrom="md" transform="rotate(-90deg)">
              <ChevronDownIcon />
            </Box>
          </Box>
        </HeaderLink>
      </h3>
      <Box hideBelow="md">
        {!tasks && list.isError && (
          <InlineError text={t`Couldn't load this list. Try again.`} onRetry={() => void list.refetch()} />
        )}
        {!tasks && !list.isError && <TaskSkeleton />}
        {tasks?.length === 0 && (
          <Box paddingInline="4" paddingBlock="3" borderTopWidth="1px" textStyle="small" color="muted">
            {emptyText}
          </Box>
        )}
        <Box as="ul" listStyleType="none">
          {tasks?.slice(0, maxRows).map((task) => (
            <li key={task.id}>
              <TaskRow task={task} />
            </li>
          ))}
        </Box>
      </Box>
    </section>
  )
}

const overdue = { color: 'danger.text', fontWeight: 'semibold' } as const
const dayMs = 24 * 60 * 60_000

function TaskRow({ task: { user, summary, at, isDueInADay, href } }: { task: Task }) {
  const now = useNow()
  const isOverdue = isDueInADay && now - Date.parse(at) > dayMs
  return (
    <TaskLink to={href} replace>
      <UserAvatar user={user} size="sm" />
      <Box as="span" flex="1" minWidth="0" lineHeight="1.125rem">
        <Box as="span" display="flex" justifyContent="space-between" alignItems="baseline" gap="2">
          <Box as="span" textStyle="small" fontWeight="medium" truncate {...userTextLine}>
            {userName(user)}
          </Box>
          <Box as="span" textStyle="caption" {...(isOverdue ? overdue : { color: 'muted' })}>
            <CompactAge at={at} />
          </Box>
        </Box>
        <Box as="span" display="block" textStyle="caption" color="muted" truncate>
          {summary}
        </Box>
      </Box>
    </TaskLink>
  )
}

function TaskSkeleton() {
  return (
    <Loading>
      {['first', 'second'].map((row) => (
        <Box
          key={row}
          display="flex"
          alignItems="center"
          gap="3"
          height="12"
          paddingInline="4"
          borderTopWidth="1px"
        >
          <SkeletonCircle size="8" />
          <Skeleton height="3" width="60%" />
        </Box>
      ))}
    </Loading>
  )
}

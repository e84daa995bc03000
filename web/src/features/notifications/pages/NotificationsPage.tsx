import { Box } from '@chakra-ui/react'
import { NotificationFilter } from '@contract/notification.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { ButtonLink } from '@/ui/Button'
import { FilterChips } from '@/ui/FilterChips'
import { SettingsIcon } from '@/ui/icons'
import { Card, PageHeader, VisuallyHidden } from '@/ui/layout'
import { Tooltip } from '@/ui/Tooltip'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { openedCountsQuery, unreadNotificationsQuery } from '../api'
import { MarkAllReadButton } from '../components/MarkAllReadButton'
import { NotificationList } from '../components/NotificationList'
import type { NotificationActions } from '../components/NotificationRow'

const filterLabels: Record<NotificationFilter, MessageDescriptor> = {
  comments: msg`Comments`,
  mentions: msg`Mentions`,
  likes: msg`Likes`,
  followers: msg`Followers`,
  payments: msg`Payments`,
}

/** A higher number of unread notifications is shown as '99+'. */
const maxShownCount = 99

/**
 * Shows `/notifications`: the notification list with filters. `?filter=` selects a filter. Each filter shows how many
 * of its notifications were unread when the page was opened, until all are read.
 */
export default function NotificationsPage({ actions }: { actions: NotificationActions }) {
  useDocumentTitle(t`Notifications`)
  const { user } = useCurrentUser()
  const [params, setParams] = useSearchParams()
  // The header fetches the count.
  const { data: unread } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  const { data: opened } = useQuery(openedCountsQuery)
  const label = (name: string, value?: NotificationFilter) => {
    const count = unread?.count && opened ? ((value ? opened.byFilter?.[value] : opened.count) ?? 0) : 0
    return count === 0 ? name : <UnreadLabel name={name} count={count} />
  }
  const filter = NotificationFilter.safeParse(params.get('filter')).data
  // For creators, the payments filter comes first, because it matters most to them. Other users receive no payments, so
  // they see it only if the URL selects it.
  const filters: NotificationFilter[] = ['comments', 'mentions', 'likes', 'followers']
  if (user?.isCreator) filters.unshift('payments')
  else if (filter === 'payments') filters.push('payments')
  return (
    <>
      <PageHeader
        title={t`Notifications`}
        action={
          <>
            <MarkAllReadButton moveFocus={() => document.getElementById('main')?.focus()} />
            <Tooltip label={t`Notification settings`}>
              <ButtonLink
                to={paths.settings.getHref('notifications')}
                aria-label={t`Notification settings`}
                size="icon"
                variant="ghost"
                marginInlineEnd="-3"
              >
                <SettingsIcon />
              </ButtonLink>
            </Tooltip>
          </>
        }
      />
      <Box paddingInline={{ base: '4', md: '0' }} paddingBottom="3">
        <FilterChips
          label={t`Filter notifications`}
          singleLine
          options={[
            { value: 'all', label: label(t`All`) },
            ...filters.map((value) => ({ value, label: label(t(filterLabels[value]), value) })),
          ]}
          value={filter ?? 'all'}
          onChange={(value) =>
            setParams(value === 'all' ? {} : { filter: value }, { replace: true, preventScrollReset: true })
          }
        />
      </Box>
      <Card overflow="hidden">
        {/* Remounted for each filter, because the list refetches on mount. */}
        <NotificationList key={filter ?? 'all'} filter={filter} actions={actions} />
      </Card>
    </>
  )
}

/** Shows the name of a filter and how many notifications were unread when the page was opened. */
function UnreadLabel({ name, count }: { name: string; count: number }) {
  const isMore = count > maxShownCount
  const unread = isMore
    ? t`More than ${maxShownCount} unread`
    : plural(count, { one: '# unread', other: '# unread' })
  return (
    <>
      {name} <VisuallyHidden>{unread}</VisuallyHidden>
      <Box
        as="span"
        aria-hidden
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        css={{ '[aria-pressed=false] &': { color: 'ember.text' } }}
      >
        {isMore ? `${formatCount(maxShownCount)}+` : formatCount(count)}
      </Box>
    </>
  )
}

import { Box } from '@chakra-ui/react'
import type { AutoPostingFrequency, AutoPostingState } from '@contract/auto-posting.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { paths } from '@/lib/paths'
import { fullTime, timeUntil, useNow } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { Card, PageHeader, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { autoPostingStatusQuery } from '../api'
import { DraftList } from '../components/DraftList'

/** Shows `/auto-posts`: whether auto-posting is on for the viewer, and the drafts written for them. */
export default function AutoPostsPage() {
  const { user } = useCurrentUser()
  useDocumentTitle(t`Auto-posts`)
  return (
    <>
      <PageHeader title={t`Auto-posts`} />
      {user && (
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
          <AutoPostingStatus isCreator={user.isCreator} />
          <DraftList userId={user.id} />
        </Box>
      )}
    </>
  )
}

/** Shows whether auto-posting is on for the viewer, what is still needed to turn it on, and a link to the setting. */
function AutoPostingStatus({ isCreator }: { isCreator: boolean }) {
  const headingId = useId()
  const { data: state, isError, refetch } = useQuery(autoPostingStatusQuery)
  return (
    <Card as="section" aria-labelledby={headingId} padding={{ base: '4', md: '5' }}>
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="3">
        <Box as="h2" id={headingId} textStyle="title">
          {t`Posts written by AI`}
        </Box>
        {state && <StatusBadge state={state} />}
      </Box>
      {state && <StatusDetails state={state} isCreator={isCreator} />}
      {!state && isError && (
        <ErrorState
          message={t`Couldn't load your auto-post status. Try again.`}
          onRetry={() => void refetch()}
        />
      )}
      {!state && !isError && (
        <Loading label={t`Loading status`}>
          <SkeletonText lines={2} marginTop="4" />
          <Skeleton height="11" width="12rem" marginTop="6" borderRadius="full" />
        </Loading>
      )}
    </Card>
  )
}

function StatusBadge({ state: { enabled, agreed } }: { state: AutoPostingState }) {
  if (!enabled) return <Badge tone="neutral">{t`Off`}</Badge>
  return agreed ? (
    <Badge tone="success">{t({ message: 'On', context: 'state' })}</Badge>
  ) : (
    <Badge tone="gold">{t`Needs your consent`}</Badge>
  )
}

function StatusDetails({ state, isCreator }: { state: AutoPostingState; isCreator: boolean }) {
  const { enabled, agreed } = state
  return (
    <>
      <Box color="muted" marginTop="1.5">
        {statusText(state, isCreator)}
      </Box>
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns={{ base: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
        gap="4"
        marginTop="5"
      >
        <Detail name={t`Our team`}>{teamSettingText(state)}</Detail>
        <Detail name={t`You`}>{ownSettingText(state)}</Detail>
        <PostTimes {...state} />
      </Box>
      <Box marginTop="5">
        {isCreator && enabled && !agreed ? (
          <ButtonLink to={paths.settings.getHref('creator', 'allowAutoPosting')} variant="ember">
            {t`Agree in Settings`}
          </ButtonLink>
        ) : (
          <TextLink
            to={paths.settings.getHref('creator', isCreator ? 'allowAutoPosting' : 'isCreator')}
            underlined
          >
            {t`Change in Settings`}
          </TextLink>
        )}
      </Box>
    </>
  )
}

/** Describes what happens in the current state, and what is needed to change it. */
function statusText({ enabled, agreed, approves }: AutoPostingState, isCreator: boolean): string {
  if (!isCreator) return t`Auto-posts are only for creators. You don’t have a Creator Account right now.`
  if (!enabled) {
    return agreed
      ? t`You’ve agreed. AI starts writing posts once our team turns this on for you.`
      : t`AI can write posts in your name once you agree in Settings and our team turns this on for you.`
  }
  if (!agreed) {
    return t`Our team would like AI to write posts in your name. Unless you agree, nothing is written and none of your data is sent to the AI provider. You can review each post first, and stop any time.`
  }
  return approves
    ? t`AI writes posts in your name. Each draft waits here until you publish it. Posts are labeled as written with AI.`
    : t`AI writes and publishes posts in your name, labeled as written with AI. You can choose in Settings to review each one first.`
}

const enabledTexts: Record<AutoPostingFrequency, MessageDescriptor> = {
  low: msg`On: 1–2 posts a day`,
  moderate: msg`On: 2–3 posts a day`,
  high: msg`On: 3–4 posts a day`,
}

/** Describes the setting that the admins control. */
const teamSettingText = ({ enabled, frequency }: AutoPostingState): string =>
  enabled ? t(enabledTexts[frequency]) : t`Off`

/** Describes the setting that the creator controls. */
function ownSettingText({ agreed, approves }: AutoPostingState): string {
  if (!agreed) return t`Off`
  return approves ? t`On: you approve each post` : t`On: posts publish automatically`
}

function PostTimes({ enabled, agreed, lastAutoPost, nextAt }: AutoPostingState) {
  const now = useNow()
  return (
    <>
      <Detail name={t`Last post`}>{lastAutoPost ? <TimeAgo at={lastAutoPost} /> : t`None yet`}</Detail>
      {enabled && agreed && (
        <Detail name={t`Next post`}>
          {nextAt ? (
            <time dateTime={nextAt} title={fullTime(nextAt)}>
              {timeUntil(nextAt, now)}
            </time>
          ) : (
            t`Not scheduled yet`
          )}
        </Detail>
      )}
    </>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box as="dd" textStyle="label">
        {children}
      </Box>
    </div>
  )
}

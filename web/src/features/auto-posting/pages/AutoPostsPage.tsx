import { Box } from '@chakra-ui/react'
import type { AutoPostingFrequency, AutoPostingState } from '@contract/auto-posting.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { paths } from '@/lib/paths'
import { fullTime, timeAgo, timeUntil, useNow } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { Card, PageHeader, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { autoPostingStatusQuery } from '../api'
import { DraftList } from '../components/DraftList'

/** `/auto-posts`: whether auto-posting is on for the viewer, and the drafts written for them. */
export default function AutoPostsPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Auto-posts')
  return (
    <>
      <PageHeader title="Auto-posts" />
      {user && (
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
          <AutoPostingStatus isCreator={user.isCreator} />
          <DraftList userId={user.id} />
        </Box>
      )}
    </>
  )
}

/** Shows whether auto-posting is on for the viewer, what it needs, and a link to the setting. */
function AutoPostingStatus({ isCreator }: { isCreator: boolean }) {
  const headingId = useId()
  const { data: state, isError, refetch } = useQuery(autoPostingStatusQuery)
  return (
    <Card as="section" aria-labelledby={headingId} padding={{ base: '4', md: '5' }}>
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="3">
        <Box as="h2" id={headingId} textStyle="title">
          Posts written by AI
        </Box>
        {state && <StatusBadge state={state} />}
      </Box>
      {state && <StatusDetails state={state} isCreator={isCreator} />}
      {!state && isError && (
        <ErrorState message="How it stands did not load." onRetry={() => void refetch()} />
      )}
      {!state && !isError && (
        <Loading label="Loading how it stands">
          <SkeletonText lines={2} marginTop="4" />
          <Skeleton height="11" width="12rem" marginTop="6" borderRadius="full" />
        </Loading>
      )}
    </Card>
  )
}

function StatusBadge({ state: { enabled, agreed } }: { state: AutoPostingState }) {
  if (!enabled) return <Badge tone="neutral">Off</Badge>
  return agreed ? <Badge tone="success">On</Badge> : <Badge tone="gold">Waits for you</Badge>
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
        <Detail name="The team">{teamSettingText(state)}</Detail>
        <Detail name="You">{ownSettingText(state)}</Detail>
        <PostTimes {...state} />
      </Box>
      <Box marginTop="5">
        {isCreator && enabled && !agreed ? (
          <ButtonLink to={paths.settings.getHref('profile', 'allowAutoPosting')} variant="ember">
            Agree in Settings
          </ButtonLink>
        ) : (
          <TextLink
            to={paths.settings.getHref('profile', isCreator ? 'allowAutoPosting' : 'isCreator')}
            underlined
          >
            Change it in Settings
          </TextLink>
        )}
      </Box>
    </>
  )
}

/** Returns what happens in the current state, and what is needed to change it. */
function statusText({ enabled, agreed, approves }: AutoPostingState, isCreator: boolean): string {
  if (!isCreator)
    return 'Only creators have posts written for them. Your account is not a creator’s at the moment.'
  if (!enabled) {
    return agreed
      ? 'You have agreed. Nothing is written until the team has switched it on for you.'
      : 'A program can write posts in your name once you agree in Settings and the team has switched it on for you.'
  }
  if (!agreed) {
    return 'The team would like to post in your name. Nothing is written, and nothing of yours is sent to the AI provider, unless you agree. You can ask to see each post first, and take it back at any time.'
  }
  return approves
    ? 'A program writes posts in your name. Each waits here until you publish it, and is marked as written with AI.'
    : 'A program writes posts in your name and publishes them, marked as written with AI. In Settings you can ask to see each one first.'
}

const frequencyText: Record<AutoPostingFrequency, string> = {
  low: '1–2 posts a day',
  moderate: '2–3 posts a day',
  high: '3–4 posts a day',
}

/** Returns the setting that the admins control. */
const teamSettingText = ({ enabled, frequency }: AutoPostingState): string =>
  enabled ? `Switched on: ${frequencyText[frequency]}` : 'Switched off'

/** Returns the setting that the creator controls. */
function ownSettingText({ agreed, approves }: AutoPostingState): string {
  if (!agreed) return 'Not agreed'
  return approves ? 'Agreed; each post waits for you first' : 'Agreed; posts go out by themselves'
}

function PostTimes({ enabled, agreed, lastAutoPost, nextAt }: AutoPostingState) {
  const now = useNow()
  return (
    <>
      <Detail name="Last one">
        {lastAutoPost ? (
          <time dateTime={lastAutoPost} title={fullTime(lastAutoPost)}>
            {timeAgo(lastAutoPost, now)}
          </time>
        ) : (
          'None yet'
        )}
      </Detail>
      {enabled && agreed && (
        <Detail name="Next one">
          {nextAt ? (
            <time dateTime={nextAt} title={fullTime(nextAt)}>
              {timeUntil(nextAt, now)}
            </time>
          ) : (
            'Not planned yet'
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

import { Box } from '@chakra-ui/react'
import type { AutoRun } from '@contract/auto-posting.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useId, useState } from 'react'
import { errorMessage } from '@/lib/api'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { Card } from '@/ui/layout'
import { EmptyState, ErrorState, InlineError } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { UserNameLink, UserRowsSkeleton } from '../../components/UserNameLink'
import { runsQuery, todayUsageQuery } from '../api'
import { describeTodayUsage, formatCost, runKindNames, runOutcomeNames } from '../model'

/** Shows the runs of auto-posting and today's usage. */
export function RunList() {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={id} textStyle="title">
          Auto-posts
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          Each time that a program wrote in a creator’s name, or tried to. What was asked and answered is kept
          for 90 days.
        </Box>
        <TodayUsage />
      </Box>
      <Runs />
    </Card>
  )
}

function Runs() {
  const list = useInfiniteQuery(runsQuery)
  if (list.isPending) return <UserRowsSkeleton label="Loading the runs" />
  if (!list.data)
    return (
      <ErrorState
        message={errorMessage(list.error, 'The runs did not load.')}
        onRetry={() => void list.refetch()}
      />
    )
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<StageIllustration />}
        title="Nothing was written yet"
        text="Auto-posting begins once there is an API key, it is switched on for a creator, and they have agreed."
      />
    )
  }
  return (
    <>
      {list.isRefetchError && !list.isFetchNextPageError && (
        <InlineError text="What is new did not load." onRetry={() => void list.refetch()} />
      )}
      <Box as="ul" listStyleType="none">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

/** Shows how much of today's caps is used. */
function TodayUsage() {
  const { data } = useQuery(todayUsageQuery)
  if (!data) return null
  return (
    <Box textStyle="small" color={data.full ? 'danger.text' : 'muted'} marginTop="1">
      {describeTodayUsage(data)}
    </Box>
  )
}

const outcomeTones: Record<NonNullable<AutoRun['outcome']>, ComponentProps<typeof Badge>['tone']> = {
  published: 'success',
  drafted: 'ember',
  previewed: 'neutral',
  refused: 'gold',
  failed: 'danger',
  lost: 'danger',
}

/** Shows a run: its creator, time, outcome and cost, and on request the prompt and the answer. */
function RunRow({ run }: { run: AutoRun }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { user, outcome, postId } = run
  const name = displayName(user, 'Deleted user')
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns="auto minmax(0, 1fr) auto"
      columnGap={{ base: '3', md: '4' }}
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="4"
      borderTopWidth="1px"
    >
      <Avatar user={{ profileImageUrl: null, ...user, displayName: name }} />
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <UserNameLink user={user} name={name} />
        </Box>
        <Box textStyle="small" color="muted">
          {runKindNames[run.kind]} · <RelativeTime time={run.startedAt} />
        </Box>
      </Box>
      <Badge tone={outcome ? outcomeTones[outcome] : 'ember'}>
        {outcome ? runOutcomeNames[outcome] : 'Running'}
      </Badge>
      {/* On phones the text has its own line, as the badge would leave it half of the width. */}
      <Box
        gridColumn={{ base: '1 / -1', sm: '2 / -1' }}
        minWidth="0"
        marginTop={{ base: '2', sm: '0' }}
        overflowWrap="anywhere"
      >
        <Box textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
          <RunUsage run={run} />
        </Box>
        {run.detail && (
          <Box
            textStyle="small"
            color={outcome === 'failed' || outcome === 'lost' ? 'danger.text' : undefined}
          >
            <bdi>{run.detail}</bdi>
          </Box>
        )}
      </Box>
      <Box
        gridColumn={{ base: '1 / -1', sm: '2 / -1' }}
        display="flex"
        flexWrap="wrap"
        gap="2"
        marginTop="3"
        _empty={{ display: 'none' }}
      >
        {outcome && (
          <Button
            variant="outline"
            size="sm"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${open ? 'Hide' : 'Show'} prompt and answer: ${name}`}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Show'} prompt and answer
          </Button>
        )}
        {postId && (
          <ButtonLink
            to={paths.post.getHref(postId)}
            variant="ghost"
            size="sm"
            aria-label={`View post: ${name}`}
          >
            View post
          </ButtonLink>
        )}
      </Box>
      <Box id={id} gridColumn="1 / -1" hidden={!open}>
        {open && <RunTranscript run={run} />}
      </Box>
    </Box>
  )
}

function RelativeTime({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={fullTime(time)}>
      {timeAgo(time, now)}
    </time>
  )
}

function RunUsage({ run: { model, inputTokens, outputTokens, cost, calls, outcome } }: { run: AutoRun }) {
  if (!outcome) return <bdi>{model}</bdi>
  const tokens = (inputTokens + outputTokens).toLocaleString('en-US')
  return (
    <>
      <bdi>{model}</bdi> · {tokens} tokens · {formatCost(cost)}
      {calls > 0 && ` · ${calls} ${calls === 1 ? 'call' : 'calls'}`}
    </>
  )
}

/** Shows the last request to the provider and its answer. */
function RunTranscript({ run: { prompt, answer, inputTokens, outputTokens } }: { run: AutoRun }) {
  const messages = prompt ?? []
  return (
    <Box as="dl" display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="3" marginTop="4">
      {messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages never change
        <TranscriptEntry key={index} name={roleNames[role] ?? role} text={content} />
      ))}
      {messages.length === 0 && <TranscriptEntry name="Prompt" text={null} />}
      <TranscriptEntry name="Answer" text={answer} />
      <Box textStyle="caption" color="muted" fontVariantNumeric="tabular-nums">
        <dt>Tokens</dt>
        <dd>
          {inputTokens.toLocaleString('en-US')} in, {outputTokens.toLocaleString('en-US')} out
        </dd>
      </Box>
    </Box>
  )
}

const roleNames: Record<string, string> = { system: 'Instructions', user: 'Prompt' }

function TranscriptEntry({ name, text }: { name: string; text: string | null }) {
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box
        as="dd"
        marginTop="1"
        padding="3.5"
        bg="sunken"
        borderRadius="md"
        textStyle="small"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        color={text ? undefined : 'muted'}
        {...userTextParagraphs}
      >
        {text || 'Nothing'}
      </Box>
    </div>
  )
}

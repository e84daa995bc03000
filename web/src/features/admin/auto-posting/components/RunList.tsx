import { Box } from '@chakra-ui/react'
import type { AutoRun } from '@contract/auto-posting.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useId, useState } from 'react'
import { errorMessage, translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { StageIllustration } from '@/ui/illustrations'
import { ShowMoreButton } from '@/ui/LoadMore'
import { EmptyState, ErrorState, RefreshError } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { Section } from '../../components/Section'
import { UserAvatar, UserNameLink, UserRowsSkeleton } from '../../components/UserNameLink'
import { userName } from '../../user-name'
import { runsQuery, todayUsageQuery } from '../api'
import { describeTodayUsage, formatCost, runKindNames, runOutcomeNames } from '../model'

/** Shows the runs of auto-posting and today's usage. */
export function RunList() {
  return (
    <Section
      title={t`Auto-posts`}
      text={
        <>
          <Trans>
            Each time AI wrote a post for a creator, or tried to. Prompts and answers are kept for 90 days.
          </Trans>
          <TodayUsage />
        </>
      }
      flush
    >
      <Runs />
    </Section>
  )
}

function Runs() {
  const list = useInfiniteQuery(runsQuery)
  if (list.isPending) return <UserRowsSkeleton label={t`Loading runs`} />
  if (!list.data)
    return (
      <ErrorState
        message={errorMessage(list.error, t`Couldn't load runs. Try again.`)}
        onRetry={() => void list.refetch()}
      />
    )
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <EmptyState
        as="h3"
        illustration={<StageIllustration />}
        title={t`No runs yet`}
        text={
          <Trans>
            Auto-posting starts once you add an API key, turn it on for a creator, and the creator agrees.
          </Trans>
        }
      />
    )
  }
  return (
    <>
      <RefreshError query={list} />
      <Box as="ul" listStyleType="none">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Box>
      <ShowMoreButton list={list} />
    </>
  )
}

/** Shows today's usage against the daily limits. */
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

/** Shows a run: the user it ran for, its time, outcome and cost. The prompt and the answer can be expanded. */
function RunRow({ run }: { run: AutoRun }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const { user, outcome, postId } = run
  const name = userName(user)
  const transcriptLabel = open ? t`Hide prompt and answer` : t`Show prompt and answer`
  const postLabel = t`View post`
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
      <UserAvatar user={user} />
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <UserNameLink user={user} />
        </Box>
        <Box textStyle="small" color="muted">
          {t(runKindNames[run.kind])} · <TimeAgo at={run.startedAt} />
        </Box>
      </Box>
      <Badge tone={outcome ? outcomeTones[outcome] : 'ember'}>
        {outcome ? t(runOutcomeNames[outcome]) : t`Running`}
      </Badge>
      {/* On phones, the text is below the badge, which would otherwise take half of the width. */}
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
            <bdi>{translateServerText(run.detail)}</bdi>
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
            aria-label={t`${{ label: transcriptLabel }}: ${name}`}
            onClick={() => setOpen(!open)}
          >
            {transcriptLabel}
          </Button>
        )}
        {postId && (
          <ButtonLink
            to={paths.post.getHref(postId)}
            variant="ghost"
            size="sm"
            aria-label={t`${{ label: postLabel }}: ${name}`}
          >
            {postLabel}
          </ButtonLink>
        )}
      </Box>
      <Box id={id} gridColumn="1 / -1" hidden={!open}>
        {open && <RunTranscript run={run} />}
      </Box>
    </Box>
  )
}

function RunUsage({ run: { model, inputTokens, outputTokens, cost, calls, outcome } }: { run: AutoRun }) {
  if (!outcome) return <bdi>{model}</bdi>
  const tokens = inputTokens + outputTokens
  return (
    <>
      <bdi>{model}</bdi> · {t`${plural(tokens, { one: '# token', other: '# tokens' })}`} · {formatCost(cost)}
      {calls > 0 && ` · ${t`${plural(calls, { one: '# call', other: '# calls' })}`}`}
    </>
  )
}

/** Shows the last request to the provider and its answer. */
function RunTranscript({ run: { prompt, answer, inputTokens, outputTokens } }: { run: AutoRun }) {
  const messages = prompt ?? []
  const input = formatCount(inputTokens)
  const output = formatCount(outputTokens)
  return (
    <Box as="dl" display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="3" marginTop="4">
      {messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages never change
        <TranscriptEntry key={index} name={roleName(role)} text={content} />
      ))}
      {messages.length === 0 && <TranscriptEntry name={roleName('user')} text={null} />}
      <TranscriptEntry name={t`Answer`} text={answer} />
      <Box textStyle="caption" color="muted" fontVariantNumeric="tabular-nums">
        <dt>{t`Tokens`}</dt>
        <dd>{t`${input} in, ${output} out`}</dd>
      </Box>
    </Box>
  )
}

const roleNames: Partial<Record<string, MessageDescriptor>> = {
  system: msg`Instructions`,
  user: msg`Prompt`,
}

function roleName(role: string): string {
  const name = roleNames[role]
  return name ? t(name) : role
}

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
        {text || t`None`}
      </Box>
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { AutoRun } from '@contract/auto-posting.ts'
import { type ComponentProps, useId, useState } from 'react'
import { fullTime, timeAgo } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { UserNameLink } from '../../components/UserNameLink'
import { formatCost, runKindNames, runOutcomeNames } from '../model'
import { RunTranscript } from './RunTranscript'

const tones: Record<NonNullable<AutoRun['outcome']>, ComponentProps<typeof Badge>['tone']> = {
  published: 'success',
  drafted: 'ember',
  previewed: 'neutral',
  refused: 'gold',
  failed: 'danger',
  lost: 'danger',
}

/** One run: for whom, when, what became of it and what it took; opened, what was asked and answered. */
export function RunRow({ run }: { run: AutoRun }) {
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
      <Avatar person={{ profileImageUrl: null, ...user, displayName: name }} />
      <Box minWidth="0" overflowWrap="anywhere">
        <Box textStyle="label">
          <UserNameLink person={user} name={name} />
        </Box>
        <Box textStyle="small" color="muted">
          {runKindNames[run.kind]} · <When at={run.startedAt} />
        </Box>
      </Box>
      <Badge tone={outcome ? tones[outcome] : 'ember'}>
        {outcome ? runOutcomeNames[outcome] : 'Running'}
      </Badge>
      {/* A line of its own, where the badge beside it would leave it half of the width. */}
      <Box
        gridColumn={{ base: '1 / -1', sm: '2 / -1' }}
        minWidth="0"
        marginTop={{ base: '2', sm: '0' }}
        overflowWrap="anywhere"
      >
        <Box textStyle="small" color="muted" fontVariantNumeric="tabular-nums">
          <Used run={run} />
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

function When({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullTime(at)}>
      {timeAgo(at, now)}
    </time>
  )
}

function Used({ run: { model, inputTokens, outputTokens, cost, calls, outcome } }: { run: AutoRun }) {
  if (!outcome) return <bdi>{model}</bdi>
  const tokens = (inputTokens + outputTokens).toLocaleString('en-US')
  return (
    <>
      <bdi>{model}</bdi> · {tokens} tokens · {formatCost(cost)}
      {calls > 0 && ` · ${calls} ${calls === 1 ? 'call' : 'calls'}`}
    </>
  )
}

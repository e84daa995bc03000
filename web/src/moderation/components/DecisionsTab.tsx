import { Box } from '@chakra-ui/react'
import type { Decision } from '@contract/moderation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fullTime } from '@/lib/format'
import { clearTextDraft } from '@/lib/text-draft'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { decisionsQuery } from '../api'
import { AppealForm, appealDraftName } from './AppealForm'
import { SafetyList } from './SafetyList'

/** What was decided about the viewer, why, and the way to disagree. */
export function DecisionsTab() {
  const { user } = useCurrentUser()
  const list = useInfiniteQuery(decisionsQuery)
  const items = list.data?.pages.flatMap((page) => page.items)
  // An answer that was lost, or another tab, may have been of an appeal that arrived: its words are here no longer.
  useEffect(() => {
    if (!user) return
    for (const { id, appeal } of list.data?.pages.flatMap((page) => page.items) ?? []) {
      if (appeal !== null) clearTextDraft(user.id, appealDraftName(id))
    }
  }, [user, list.data])
  return (
    <SafetyList
      title="Decisions"
      text="What the moderators decided about you or something of yours, and why. You may appeal once against each."
      list={list}
      items={items}
      empty={{
        title: 'Nothing was decided about you',
        text: 'If that changes, it stands here with the reason.',
      }}
      failed="The decisions did not load."
    >
      {(decision) => <Row key={decision.id} decision={decision} />}
    </SafetyList>
  )
}

const own = ({ kind }: Decision) => (kind === 'user' ? 'profile' : kind)

function titleOf(decision: Decision): string {
  switch (decision.decision) {
    case 'warn':
      return `You were warned about your ${own(decision)}`
    case 'hide':
      return `Your ${own(decision)} was hidden`
    case 'remove':
      return `Your ${own(decision)} was removed`
    case 'suspend':
      return decision.suspendedUntil
        ? `Your account was suspended until ${fullTime(decision.suspendedUntil)}`
        : 'Your account was suspended'
  }
}

function Row({ decision }: { decision: Decision }) {
  const { reason, excerpt, decidedAt } = decision
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="5" borderTopWidth="1px">
      <Box display="flex" alignItems="flex-start" gap="3">
        <Box flex="1" minWidth="0">
          <Box as="h3" textStyle="label" overflowWrap="anywhere">
            {titleOf(decision)}
          </Box>
          <Box textStyle="small" color="muted">
            <TimeAgo at={decidedAt} />
          </Box>
        </Box>
        {decision.appealOutcome === 'overturned' && <Badge tone="success">Taken back</Badge>}
      </Box>
      {excerpt && (
        <Box
          as="blockquote"
          marginTop="3"
          paddingInlineStart="3.5"
          borderInlineStartWidth="3px"
          borderInlineStartColor="outline"
          color="muted"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {excerpt}
        </Box>
      )}
      <Said title="Why">{reason}</Said>
      <Appeal decision={decision} />
    </Box>
  )
}

function Appeal({ decision }: { decision: Decision }) {
  const { appeal, appealedAt, appealOutcome, appealAnswer, mayAppealUntil } = decision
  if (appeal && appealedAt) {
    return (
      <>
        <Said title="Your appeal">{appeal}</Said>
        {appealOutcome ? (
          <Said title={appealOutcome === 'overturned' ? 'Granted' : 'Turned down'}>{appealAnswer}</Said>
        ) : (
          <Box marginTop="3" textStyle="small" color="muted">
            Another moderator reads it. You are told what they say.
          </Box>
        )}
      </>
    )
  }
  if (mayAppealUntil) return <AppealForm decisionId={decision.id} until={mayAppealUntil} />
  return (
    <Box marginTop="3" textStyle="small" color="muted">
      The time to appeal is over.
    </Box>
  )
}

function Said({ title, children }: { title: string; children: string | null }) {
  return (
    <Box marginTop="3">
      <Box textStyle="small" color="muted">
        {title}
      </Box>
      <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
        {children}
      </Box>
    </Box>
  )
}

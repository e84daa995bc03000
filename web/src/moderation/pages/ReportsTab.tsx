import { Box } from '@chakra-ui/react'
import { type Report, reportReasons, type SubjectKind } from '@contract/moderation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Badge } from '@/ui/Badge'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { reportsQuery } from '../api'
import { SafetyList } from '../components/SafetyList'

const kinds: Record<SubjectKind, string> = {
  post: 'A post',
  comment: 'A comment',
  message: 'A message',
  user: 'A person',
}

/** What the viewer reported, and what became of each. */
export function ReportsTab() {
  const list = useInfiniteQuery(reportsQuery)
  return (
    <SafetyList
      title="My reports"
      text="What you reported, and what became of it. Nobody but the moderators knows that it was you."
      list={list}
      items={list.data?.pages.flatMap((page) => page.items)}
      empty={{
        title: 'You have reported nothing',
        text: 'Where you see something that should not be here, its menu has “Report”.',
      }}
      failed="Your reports did not load."
    >
      {(report) => <Row key={report.id} report={report} />}
    </SafetyList>
  )
}

const outcomes: Record<
  'waiting' | 'acted' | 'dismissed',
  { tone: ComponentProps<typeof Badge>['tone']; name: string; text: string }
> = {
  waiting: { tone: 'gold', name: 'Waiting', text: 'Nobody has looked at it yet.' },
  acted: { tone: 'success', name: 'Acted', text: 'The moderators looked at it, and acted. Thank you.' },
  dismissed: {
    tone: 'neutral',
    name: 'May stay',
    text: 'The moderators looked at it, and found that it may stay.',
  },
}

function Row({ report: { kind, reason, note, createdAt, outcome, decidedAt } }: { report: Report }) {
  const { tone, name, text } = outcomes[outcome ?? 'waiting']
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="flex-start" gap="3">
        <Box flex="1" minWidth="0">
          <Box textStyle="label">
            {kinds[kind]}: {reportReasons[reason]}
          </Box>
          <Box textStyle="small" color="muted">
            Reported <TimeAgo at={createdAt} />
          </Box>
        </Box>
        <Badge tone={tone}>{name}</Badge>
      </Box>
      {note && (
        <Box
          marginTop="2"
          paddingInlineStart="3.5"
          borderInlineStartWidth="3px"
          borderInlineStartColor="outline"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {note}
        </Box>
      )}
      <Box marginTop="2" textStyle="small">
        {text}{' '}
        {decidedAt && (
          <Box as="span" color="muted">
            <TimeAgo at={decidedAt} />
          </Box>
        )}
      </Box>
    </Box>
  )
}

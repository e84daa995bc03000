import { Box } from '@chakra-ui/react'
import { type Report, reportReasons, type SubjectKind } from '@contract/moderation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Badge } from '@/ui/Badge'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { accountLogQuery, reportsQuery } from '../api'
import { DecisionsTab } from '../components/DecisionsTab'
import { SafetyList } from '../components/SafetyList'

/** `/safety?tab=`: the viewer's reports, moderation decisions about them, and admin actions on their account. */
export default function SafetyPage() {
  const [params, setParams] = useSearchParams()
  const selectedTab = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  useDocumentTitle('Safety')
  return (
    <>
      <PageHeader title="Safety" />
      <Tabs
        label="Safety"
        tabs={tabs}
        value={selectedTab?.value ?? ''}
        // Synchronous, so that the next key press starts from the new tab.
        onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
      />
    </>
  )
}

const tabs = [
  { value: 'reports', label: 'My reports', content: <ReportsTab /> },
  { value: 'decisions', label: 'Decisions', content: <DecisionsTab /> },
  { value: 'account', label: 'Account log', content: <AccountLogTab /> },
]

/** Shows the viewer's reports and their outcomes. */
function ReportsTab() {
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
      errorText="Your reports did not load."
    >
      {(report) => <ReportRow key={report.id} report={report} />}
    </SafetyList>
  )
}

const subjectNames: Record<SubjectKind, string> = {
  post: 'A post',
  comment: 'A comment',
  message: 'A message',
  user: 'A person',
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

function ReportRow({ report }: { report: Report }) {
  const { kind, reason, note, createdAt, outcome, decidedAt } = report
  const { tone, name, text } = outcomes[outcome ?? 'waiting']
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="flex-start" gap="3">
        <Box flex="1" minWidth="0">
          <Box textStyle="label">
            {subjectNames[kind]}: {reportReasons[reason]}
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

/** Shows the actions of admins on the viewer's account. */
function AccountLogTab() {
  const list = useInfiniteQuery(accountLogQuery)
  return (
    <SafetyList
      title="Account log"
      text="What the people who run this site did to your account. Nobody can change or delete what stands here."
      list={list}
      items={list.data?.pages.flat()}
      empty={{ title: 'Nothing was done to your account', text: 'What admins do to it stands here.' }}
      errorText="Your account log did not load."
    >
      {({ id, text, createdAt }) => (
        <Box
          as="li"
          key={id}
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock="3.5"
          borderTopWidth="1px"
          overflowWrap="anywhere"
        >
          <Box {...userTextParagraphs}>{text}</Box>
          <Box textStyle="small" color="muted">
            <TimeAgo at={createdAt} />
          </Box>
        </Box>
      )}
    </SafetyList>
  )
}

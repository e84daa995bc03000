import { Box } from '@chakra-ui/react'
import { type Report, reportReasons, type SubjectKind } from '@contract/moderation.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useSearchParams } from 'react-router-dom'
import { translateServerText } from '@/lib/errors'
import { Badge } from '@/ui/Badge'
import { PageHeader } from '@/ui/layout'
import { Tabs } from '@/ui/Tabs'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { accountLogText } from '../account-log-text'
import { accountLogQuery, reportsQuery } from '../api'
import { DecisionsTab } from '../components/DecisionsTab'
import { SafetyList } from '../components/SafetyList'

/** Shows `/safety?tab=`: the viewer's reports, the moderation decisions about the viewer, and the account log. */
export default function SafetyPage() {
  const tabs = [
    { value: 'reports', label: t`My reports`, content: <ReportsTab /> },
    { value: 'decisions', label: t`Decisions`, content: <DecisionsTab /> },
    { value: 'account', label: t`Account log`, content: <AccountLogTab /> },
  ]
  const [params, setParams] = useSearchParams()
  const selectedTab = tabs.find((tab) => tab.value === params.get('tab')) ?? tabs[0]
  useDocumentTitle(t`Safety`)
  return (
    <>
      <PageHeader title={t`Safety`} />
      <Tabs
        label={t`Safety`}
        tabs={tabs}
        value={selectedTab?.value ?? ''}
        // Synchronous, so that the next key press starts from the new tab.
        onChange={(tab) => setParams({ tab }, { replace: true, flushSync: true })}
      />
    </>
  )
}

/** Shows the viewer's reports and their outcomes. */
function ReportsTab() {
  const list = useInfiniteQuery(reportsQuery)
  return (
    <SafetyList
      title={t`My reports`}
      text={t`Reports you’ve sent and their outcome. Only moderators can see it was you.`}
      list={list}
      items={list.data?.pages.flatMap((page) => page.items)}
      empty={{
        title: t`No reports yet`,
        text: t`If you see something that breaks our rules, report it from its menu.`,
      }}
      errorText={t`Couldn't load reports. Try again.`}
    >
      {(report) => <ReportRow key={report.id} report={report} />}
    </SafetyList>
  )
}

function reportTitle(kind: SubjectKind, reason: string): string {
  switch (kind) {
    case 'post':
      return t`Post: ${reason}`
    case 'comment':
      return t`Comment: ${reason}`
    case 'message':
      return t`Message: ${reason}`
    case 'user':
      return t`Person: ${reason}`
  }
}

const outcomes: Record<
  'waiting' | 'acted' | 'dismissed',
  { tone: ComponentProps<typeof Badge>['tone']; name: MessageDescriptor; text: MessageDescriptor }
> = {
  waiting: {
    tone: 'gold',
    name: msg({ message: 'Waiting', context: 'report' }),
    text: msg`We haven’t reviewed it yet.`,
  },
  acted: { tone: 'success', name: msg`Action taken`, text: msg`We reviewed it and took action. Thank you.` },
  dismissed: {
    tone: 'neutral',
    name: msg`No violation`,
    text: msg`We reviewed it and found it doesn’t break our rules.`,
  },
}

function ReportRow({ report }: { report: Report }) {
  const { kind, reason, note, createdAt, outcome, decidedAt } = report
  const { tone, name, text } = outcomes[outcome ?? 'waiting']
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="4" borderTopWidth="1px">
      <Box display="flex" alignItems="flex-start" gap="3">
        <Box flex="1" minWidth="0">
          <Box textStyle="label">{reportTitle(kind, translateServerText(reportReasons[reason]))}</Box>
          <Box textStyle="small" color="muted">
            <Trans>
              Reported <TimeAgo at={createdAt} />
            </Trans>
          </Box>
        </Box>
        <Badge tone={tone}>{t(name)}</Badge>
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
        {t(text)}{' '}
        {decidedAt && (
          <Box as="span" color="muted">
            <TimeAgo at={decidedAt} />
          </Box>
        )}
      </Box>
    </Box>
  )
}

/** Shows the admin actions on the viewer's account. */
function AccountLogTab() {
  const list = useInfiniteQuery(accountLogQuery)
  return (
    <SafetyList
      title={t`Account log`}
      text={t`What admins did to your account. Entries can’t be edited or removed.`}
      list={list}
      items={list.data?.pages.flat()}
      empty={{ title: t`Nothing here yet`, text: t`If an admin changes your account, you’ll see it here.` }}
      errorText={t`Couldn't load the account log. Try again.`}
    >
      {(entry) => (
        <Box
          as="li"
          key={entry.id}
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock="3.5"
          borderTopWidth="1px"
          overflowWrap="anywhere"
        >
          <Box {...userTextParagraphs}>{accountLogText(entry)}</Box>
          <Box textStyle="small" color="muted">
            <TimeAgo at={entry.createdAt} />
          </Box>
        </Box>
      )}
    </SafetyList>
  )
}

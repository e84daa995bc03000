import { Box } from '@chakra-ui/react'
import { type AdminCase, reportReasons } from '@contract/moderation.ts'
import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { fullTime } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button, type ButtonProps } from '@/ui/Button'
import { TextLink } from '@/ui/layout'
import { RowCheckbox } from '@/ui/RadioGroup'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextLine, userTextParagraphs } from '@/ui/UserText'
import { UserAvatar, UserNameLink } from '../../components/UserNameLink'
import { userName } from '../../user-name'
import {
  availableDecisions,
  changedSinceNames,
  decidedByText,
  decisionName,
  subjectKindNames,
  subjectLink,
  subjectText,
} from '../model'
import type { CaseDialogKind } from './CaseDialogs'
import { SnapshotList } from './SnapshotList'

/** @param trigger the button that opens the dialog */
type OpenCaseDialog = (kind: CaseDialogKind, trigger: HTMLElement) => void

/** Shows a case: its subject as it was reported, the reasons, the decision and the available actions. */
export function CaseCard({
  moderationCase,
  selected,
  onSelect,
  onShowUserCases,
  onOpenDialog,
}: {
  moderationCase: AdminCase
  /** Undefined if the case cannot be selected. */
  selected: boolean | undefined
  onSelect: (selected: boolean) => void
  /** Shows all cases of the user. */
  onShowUserCases: () => void
  onOpenDialog: OpenCaseDialog
}) {
  const { person: user, kind } = moderationCase
  const subject = subjectText(kind, userName(user))
  return (
    <Box
      as="li"
      aria-label={t`Case: ${subject}`}
      data-case={moderationCase.id}
      display="flex"
      gap={{ base: '1', md: '2' }}
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="5"
      borderTopWidth="1px"
    >
      {selected !== undefined && (
        <Box marginTop="0" marginInlineStart="-3">
          <RowCheckbox label={t`Select: ${subject}`} checked={selected} onChange={onSelect} />
        </Box>
      )}
      <Box flex="1" minWidth="0" display="grid" gap="3">
        <CaseHeader moderationCase={moderationCase} />
        <SnapshotList kind={kind} snapshots={moderationCase.snapshots} />
        <ReportSummary moderationCase={moderationCase} onShowUserCases={onShowUserCases} />
        <CaseDecision moderationCase={moderationCase} />
        <CaseActions moderationCase={moderationCase} subject={subject} onOpenDialog={onOpenDialog} />
      </Box>
    </Box>
  )
}

function CaseHeader({ moderationCase }: { moderationCase: AdminCase }) {
  const { person: user, movedAt } = moderationCase
  return (
    <Box display="flex" gap="3" alignItems="center">
      <UserAvatar user={user} />
      <Box flex="1" minWidth="0">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
          <Box as="span" textStyle="label" minWidth="0" truncate {...userTextLine}>
            <UserNameLink user={user} />
          </Box>
          <Badge tone="neutral">{t(subjectKindNames[moderationCase.kind])}</Badge>
          {moderationCase.hidden && <Badge tone="neutral">{t`Hidden`}</Badge>}
          {moderationCase.since !== 'same' && (
            <Badge tone="gold">{t(changedSinceNames[moderationCase.since])}</Badge>
          )}
        </Box>
        <Box textStyle="small" color="muted">
          {user && `@${user.handle} · `}
          <TimeAgo at={movedAt} />
          <ContentLink moderationCase={moderationCase} />
        </Box>
      </Box>
    </Box>
  )
}

/** Shows a link to the reported post or comment. */
function ContentLink({ moderationCase }: { moderationCase: AdminCase }) {
  const link = subjectLink(moderationCase)
  if (!link) return null
  const href = paths.post.getHref(link.post)
  return (
    <>
      {' · '}
      <TextLink whiteSpace="nowrap" to={link.comment ? `${href}#comment-${link.comment}` : href}>
        {link.comment ? t`View in context` : t`View post`}
      </TextLink>
    </>
  )
}

/** Shows how many reports there are, in total and by reason, and how many earlier decisions against the user. */
function ReportSummary({
  moderationCase,
  onShowUserCases,
}: {
  moderationCase: AdminCase
  onShowUserCases: () => void
}) {
  const { reports, reasons, priorDecisions } = moderationCase
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" gap="2">
      <Badge tone={reports > 0 ? 'ember' : 'neutral'} fontVariantNumeric="tabular-nums">
        {t`${plural(reports, { one: '# report', other: '# reports' })}`}
      </Badge>
      {reasons.map(({ reason, count }) => (
        <Badge key={reason} tone="neutral" fontVariantNumeric="tabular-nums">
          {translateServerText(reportReasons[reason])}
          {count > 1 && ` × ${formatCount(count)}`}
        </Badge>
      ))}
      {priorDecisions > 0 && (
        <Box asChild cursor="pointer" borderRadius="full">
          <button type="button" onClick={onShowUserCases}>
            <Badge tone="danger" fontVariantNumeric="tabular-nums" textDecoration="underline">
              {t`${plural(priorDecisions, {
                one: '# earlier decision against this user',
                other: '# earlier decisions against this user',
              })}`}
            </Badge>
          </button>
        </Box>
      )}
    </Box>
  )
}

const buttonVariants: Partial<Record<CaseDialogKind, ButtonProps['variant']>> = {
  details: 'ghost',
  grant: 'ember',
}

/** Shows the actions that are available in the state of the case. */
function CaseActions({
  moderationCase,
  subject,
  onOpenDialog,
}: {
  moderationCase: AdminCase
  subject: string
  onOpenDialog: OpenCaseDialog
}) {
  const kinds = [moderationCase.kind]
  const actions: [kind: CaseDialogKind, label: string][] = [
    ...(moderationCase.state === 'open'
      ? availableDecisions(kinds).map((decision): [CaseDialogKind, string] => [
          decision,
          decisionName(decision, kinds),
        ])
      : []),
    ...(moderationCase.mayAnswer
      ? ([
          ['grant', t`Grant`],
          ['refuse', t`Turn down`],
        ] satisfies [CaseDialogKind, string][])
      : []),
    ['details', t`Details`],
  ]
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" gap="2">
      {moderationCase.state === 'appealed' && !moderationCase.mayAnswer && (
        <Box textStyle="small" color="muted" marginInlineEnd="2">
          {t`Another admin has to answer this appeal.`}
        </Box>
      )}
      {actions.map(([kind, label]) => (
        <Button
          key={kind}
          size="sm"
          variant={buttonVariants[kind] ?? 'outline'}
          paddingInline={{ base: '3', sm: '4' }}
          aria-label={t`${label}: ${subject}`}
          onClick={({ currentTarget }) => onOpenDialog(kind, currentTarget)}
        >
          {label}
        </Button>
      ))}
    </Box>
  )
}

/** Shows the decision with its reason, the appeal, and the answer to it. */
function CaseDecision({ moderationCase }: { moderationCase: AdminCase }) {
  const { decision, decidedAt, appeal, appealedAt, appealOutcome, appealAnswer } = moderationCase
  if (!decision || !decidedAt) return null
  const name = userName(moderationCase.person)
  const admin = userName(moderationCase.appealDecidedBy)
  const until = moderationCase.suspendedUntil && fullTime(moderationCase.suspendedUntil)
  return (
    <Box
      display="grid"
      gap="3"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr)',
        md: appeal ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
      }}
    >
      <StatementBox
        title={decidedByText(decision, userName(moderationCase.decidedBy))}
        time={decidedAt}
        detail={until ? t`Until ${until}` : undefined}
      >
        {moderationCase.reason}
      </StatementBox>
      {appeal && appealedAt && (
        <StatementBox title={t`Appeal by ${name}`} time={appealedAt}>
          {appeal}
        </StatementBox>
      )}
      {appealOutcome && (
        <StatementBox
          title={appealOutcome === 'overturned' ? t`Granted by ${admin}` : t`Turned down by ${admin}`}
        >
          {appealAnswer}
        </StatementBox>
      )}
    </Box>
  )
}

function StatementBox({
  title,
  time,
  detail,
  children,
}: {
  title: string
  time?: string
  detail?: string | undefined
  children: ReactNode
}) {
  return (
    <Box bg="sunken" borderRadius="md" padding="3.5" minWidth="0">
      <Box textStyle="label" overflowWrap="anywhere" {...userTextParagraphs}>
        {title}
      </Box>
      {time && (
        <Box textStyle="caption" color="muted">
          <time dateTime={time}>{fullTime(time)}</time>
          {detail && ` · ${detail}`}
        </Box>
      )}
      {children && (
        <Box marginTop="1.5" whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
          {children}
        </Box>
      )}
    </Box>
  )
}

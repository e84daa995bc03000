import { Box, chakra } from '@chakra-ui/react'
import { type AdminCase, reportReasons } from '@contract/moderation.ts'
import { plural, t } from '@lingui/core/macro'
import { useId, useRef, useState } from 'react'
import { translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { MoreIcon } from '@/ui/icons'
import { lineTarget, TextLink } from '@/ui/layout'
import { Menu, MenuItem } from '@/ui/Menu'
import { RowCheckbox } from '@/ui/RadioGroup'
import { CompactTimeAgo } from '@/ui/TimeAgo'
import { userTextLine } from '@/ui/UserText'
import { aboveRowButton, RowButton } from '../../components/RowButton'
import { UserAvatar, UserNameLink } from '../../components/UserNameLink'
import { userName } from '../../user-name'
import {
  availableDecisions,
  changedSinceNames,
  decisionName,
  isCommonDecision,
  subjectExcerpt,
  subjectKindNames,
  subjectLink,
  subjectText,
} from '../model'
import { CaseDecision } from './CaseDecision'
import type { CaseDialogKind } from './CaseDialogs'
import { MediaThumbnail, SnapshotList } from './SnapshotList'

/** @param trigger the button that opens the dialog */
type OpenCaseDialog = (kind: CaseDialogKind, trigger: HTMLElement) => void

const Row = chakra('li', {
  base: {
    position: 'relative',
    display: 'flex',
    gap: { base: '1', md: '2' },
    paddingInline: { base: '4', md: '5' },
    paddingBlock: '3',
    borderTopWidth: '1px',
    _hover: { bg: { lg: 'hover' } },
  },
})

/**
 * Shows a case in a few lines: who is reported, the beginning of the content, the reasons and the most common actions.
 * Clicking the row shows the content as it was reported.
 */
export function CaseRow({
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
  const { person: user, kind, snapshots } = moderationCase
  const subject = subjectText(kind, userName(user))
  const [isExpanded, setExpanded] = useState(false)
  const contentId = useId()
  const latest = snapshots.at(-1)?.seen
  return (
    <Row
      aria-label={t`Case: ${subject}`}
      data-case={moderationCase.id}
      bg={selected ? 'ember.wash' : isExpanded ? 'hover' : undefined}
    >
      {selected !== undefined && (
        <Box marginInlineStart="-3" {...aboveRowButton}>
          <RowCheckbox label={t`Select: ${subject}`} checked={selected} onChange={onSelect} />
        </Box>
      )}
      <UserAvatar user={user} />
      <Box
        flex="1"
        minWidth="0"
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="3"
        marginInlineStart={{ base: '2', md: '1' }}
      >
        <Box
          display="flex"
          flexDirection={{ base: 'column', lg: 'row' }}
          alignItems={{ lg: 'center' }}
          columnGap="5"
          rowGap="2.5"
        >
          <Box flex="1" minWidth="0" display="flex" alignItems="flex-start" gap="3">
            <Box flex="1" minWidth="0">
              <CaseHeader moderationCase={moderationCase} />
              {latest ? (
                <RowButton
                  type="button"
                  width="full"
                  marginTop="0.5"
                  overflowWrap="anywhere"
                  aria-expanded={isExpanded}
                  aria-controls={isExpanded ? contentId : undefined}
                  onClick={() => setExpanded(!isExpanded)}
                >
                  <Box
                    as="span"
                    lineClamp={isExpanded ? '1' : '2'}
                    color={isExpanded ? 'muted' : undefined}
                    {...userTextLine}
                  >
                    {subjectExcerpt(kind, latest)}
                  </Box>
                </RowButton>
              ) : (
                <SnapshotList kind={kind} snapshots={snapshots} />
              )}
              <ReportSummary moderationCase={moderationCase} onShowUserCases={onShowUserCases} />
            </Box>
            {latest && !isExpanded && (
              <Box {...aboveRowButton}>
                <MediaThumbnail seen={latest} subject={subject} />
              </Box>
            )}
          </Box>
          <CaseActions moderationCase={moderationCase} subject={subject} onOpenDialog={onOpenDialog} />
        </Box>
        {isExpanded && (
          <Box id={contentId} display="grid" gap="3" {...aboveRowButton}>
            <SnapshotList kind={kind} snapshots={snapshots} />
            <ContentLink moderationCase={moderationCase} />
          </Box>
        )}
        <CaseDecision moderationCase={moderationCase} />
      </Box>
    </Row>
  )
}

/** Shows the reported user, what was reported, and when. */
function CaseHeader({ moderationCase }: { moderationCase: AdminCase }) {
  const { person: user, movedAt } = moderationCase
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" textStyle="small" color="muted">
      <Box
        as="span"
        textStyle="label"
        color="text"
        minWidth="0"
        truncate
        {...aboveRowButton}
        {...userTextLine}
      >
        <UserNameLink user={user} />
      </Box>
      <Box as="span" minWidth="0" overflowWrap="anywhere">
        {user && (
          <>
            <bdi dir="ltr">@{user.handle}</bdi>
            {' · '}
          </>
        )}
        {t(subjectKindNames[moderationCase.kind])}
        {' · '}
        <Box as="span" {...aboveRowButton}>
          <CompactTimeAgo at={movedAt} />
        </Box>
      </Box>
      {moderationCase.hidden && <Badge tone="neutral">{t`Hidden`}</Badge>}
      {moderationCase.since !== 'same' && (
        <Badge tone="gold">{t(changedSinceNames[moderationCase.since])}</Badge>
      )}
    </Box>
  )
}

/** Shows a link to the reported post or comment. */
function ContentLink({ moderationCase }: { moderationCase: AdminCase }) {
  const link = subjectLink(moderationCase)
  if (!link) return null
  const href = paths.post.getHref(link.post)
  return (
    <TextLink
      justifySelf="start"
      textStyle="small"
      {...lineTarget}
      to={link.comment ? `${href}#comment-${link.comment}` : href}
    >
      {link.comment ? t`View in context` : t`View post`}
    </TextLink>
  )
}

/** Shows the number of reports, in total and by reason, and the number of earlier decisions against the user. */
function ReportSummary({
  moderationCase,
  onShowUserCases,
}: {
  moderationCase: AdminCase
  onShowUserCases: () => void
}) {
  const { reports, reasons, priorDecisions } = moderationCase
  const reasonTexts = reasons.map(({ reason, count }) => {
    const name = translateServerText(reportReasons[reason])
    return count > 1 ? `${name} × ${formatCount(count)}` : name
  })
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      columnGap="2"
      marginTop="1"
      textStyle="small"
      color="muted"
      fontVariantNumeric="tabular-nums"
    >
      <Box as="span" {...(reports > 0 && { color: 'ember.text', fontWeight: 'semibold' })}>
        {t`${plural(reports, { one: '# report', other: '# reports' })}`}
      </Box>
      {reasonTexts.length > 0 && <span>{reasonTexts.join(' · ')}</span>}
      {priorDecisions > 0 && (
        <Box
          asChild
          color="danger.text"
          textAlign="start"
          cursor="pointer"
          _hover={{ textDecoration: 'underline' }}
          {...lineTarget}
          {...aboveRowButton}
        >
          <button type="button" onClick={onShowUserCases}>
            {t`${plural(priorDecisions, {
              one: '# earlier decision against this user',
              other: '# earlier decisions against this user',
            })}`}
          </button>
        </Box>
      )}
    </Box>
  )
}

/**
 * Shows the actions that are available in the state of the case: the most common decisions or the answers to an appeal
 * as buttons, the others in a menu.
 */
function CaseActions({
  moderationCase: { kind: subjectKind, state, mayAnswer },
  subject,
  onOpenDialog,
}: {
  moderationCase: AdminCase
  subject: string
  onOpenDialog: OpenCaseDialog
}) {
  const menuButton = useRef<HTMLButtonElement>(null)
  const kinds = [subjectKind]
  const decisions = state === 'open' ? availableDecisions(kinds) : []
  const common = decisions.filter((decision) => isCommonDecision(decision, subjectKind))
  const buttons: [kind: CaseDialogKind, label: string][] = [
    ...common.map((decision): [CaseDialogKind, string] => [decision, decisionName(decision, kinds)]),
    ...(mayAnswer
      ? ([
          ['grant', t`Grant`],
          ['refuse', t`Turn down`],
        ] satisfies [CaseDialogKind, string][])
      : []),
  ]
  const openFromMenu = (kind: CaseDialogKind) => menuButton.current && onOpenDialog(kind, menuButton.current)
  const menuLabel = t`More actions: ${subject}`
  return (
    <Box
      display="flex"
      flexWrap={{ base: 'wrap', lg: 'nowrap' }}
      alignItems="center"
      gap="2"
      {...aboveRowButton}
    >
      {state === 'appealed' && !mayAnswer && (
        <Box textStyle="small" color="muted">
          {t`Another admin has to answer this appeal.`}
        </Box>
      )}
      {buttons.map(([kind, label]) => (
        <Button
          key={kind}
          size="sm"
          variant="outline"
          aria-label={t`${label}: ${subject}`}
          onClick={({ currentTarget }) => onOpenDialog(kind, currentTarget)}
        >
          {label}
        </Button>
      ))}
      <Menu
        label={menuLabel}
        trigger={
          <Button ref={menuButton} size="icon" variant="ghost" marginInlineEnd="-3" aria-label={menuLabel}>
            <MoreIcon />
          </Button>
        }
      >
        <MenuItem value="details" onSelect={() => openFromMenu('details')}>
          {t`See reports`}
        </MenuItem>
        {decisions
          .filter((decision) => !common.includes(decision))
          .map((decision) => (
            <MenuItem
              key={decision}
              value={decision}
              danger={decision === 'remove' || decision === 'suspend'}
              onSelect={() => openFromMenu(decision)}
            >
              {decisionName(decision, kinds)}
            </MenuItem>
          ))}
      </Menu>
    </Box>
  )
}

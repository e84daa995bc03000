import { Box } from '@chakra-ui/react'
import { type AdminCase, reportReasons } from '@contract/moderation.ts'
import { Link } from 'react-router-dom'
import { fullTime, timeAgo } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { TextLink } from '@/ui/layout'
import { RowCheckbox } from '@/ui/RadioGroup'
import { userTextLine } from '@/ui/user-text-styles'
import { changedSinceNames, deletedUserName, subjectKindNames, subjectLink, subjectText } from '../model'
import { CaseActions, type OpenCaseDialog } from './CaseActions'
import { CaseDecision } from './CaseDecision'
import { SnapshotList } from './SnapshotList'

/** One case: what it is about as it was, why it was reported, what was decided, and what can be. */
export function CaseCard({
  one,
  selected,
  onSelect,
  onPerson,
  onAsk,
}: {
  one: AdminCase
  /** Undefined where it cannot be chosen. */
  selected: boolean | undefined
  onSelect: (selected: boolean) => void
  /** Shows all cases of its person. */
  onPerson: () => void
  onAsk: OpenCaseDialog
}) {
  const { person, kind } = one
  const name = displayName(person, deletedUserName)
  return (
    <Box
      as="li"
      aria-label={`Case: ${subjectText(kind, name)}`}
      data-case={one.id}
      display="flex"
      gap={{ base: '1', md: '2' }}
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="5"
      borderTopWidth="1px"
    >
      {selected !== undefined && (
        <Box marginTop="0" marginInlineStart="-3">
          <RowCheckbox label={`Choose: ${subjectText(kind, name)}`} checked={selected} onChange={onSelect} />
        </Box>
      )}
      <Box flex="1" minWidth="0" display="grid" gap="3">
        <Head one={one} name={name} />
        <SnapshotList kind={kind} snapshots={one.snapshots} />
        <Why one={one} onPerson={onPerson} />
        <CaseDecision one={one} />
        <CaseActions one={one} name={name} onAsk={onAsk} />
      </Box>
    </Box>
  )
}

function Head({ one, name }: { one: AdminCase; name: string }) {
  const now = useNow()
  const { person, movedAt } = one
  return (
    <Box display="flex" gap="3" alignItems="center">
      <Avatar
        person={person ? { ...person, displayName: name } : { displayName: name, profileImageUrl: null }}
      />
      <Box flex="1" minWidth="0">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
          <Box as="span" textStyle="label" minWidth="0" truncate {...userTextLine}>
            {person ? (
              <Box asChild _hover={{ textDecoration: 'underline' }}>
                <Link to={paths.profile.getHref(person.handle)}>{name}</Link>
              </Box>
            ) : (
              name
            )}
          </Box>
          <Badge tone="neutral">{subjectKindNames[one.kind]}</Badge>
          {one.hidden && <Badge tone="neutral">Hidden</Badge>}
          {one.since !== 'same' && <Badge tone="gold">{changedSinceNames[one.since]}</Badge>}
        </Box>
        <Box textStyle="small" color="muted">
          {person && `@${person.handle} · `}
          <time dateTime={movedAt} title={fullTime(movedAt)}>
            {timeAgo(movedAt, now)}
          </time>
          <Place one={one} />
        </Box>
      </Box>
    </Box>
  )
}

/** The way to the thing itself, where an admin can look at it. */
function Place({ one }: { one: AdminCase }) {
  const place = subjectLink(one)
  if (!place || 'profile' in place) return null
  const href = paths.post.getHref(place.post)
  return (
    <>
      {' · '}
      <TextLink whiteSpace="nowrap" to={place.comment ? `${href}#comment-${place.comment}` : href}>
        {place.comment ? 'Open where it stands' : 'Open post'}
      </TextLink>
    </>
  )
}

/** How often it was reported and for what, and what its person is known for. */
function Why({ one, onPerson }: { one: AdminCase; onPerson: () => void }) {
  const { reports, reasons, priorDecisions } = one
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" gap="2">
      <Badge tone={reports > 0 ? 'ember' : 'neutral'} fontVariantNumeric="tabular-nums">
        {reports === 1 ? '1 report' : `${reports} reports`}
      </Badge>
      {reasons.map(({ reason, count }) => (
        <Badge key={reason} tone="neutral" fontVariantNumeric="tabular-nums">
          {reportReasons[reason]}
          {count > 1 && ` × ${count}`}
        </Badge>
      ))}
      {priorDecisions > 0 && (
        <Box asChild cursor="pointer" borderRadius="full">
          <button type="button" onClick={onPerson}>
            <Badge tone="danger" fontVariantNumeric="tabular-nums" textDecoration="underline">
              {priorDecisions === 1
                ? '1 decision against them before'
                : `${priorDecisions} decisions against them before`}
            </Badge>
          </button>
        </Box>
      )}
    </Box>
  )
}

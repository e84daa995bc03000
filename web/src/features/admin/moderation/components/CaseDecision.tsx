import { Box } from '@chakra-ui/react'
import type { AdminCase } from '@contract/moderation.ts'
import type { ReactNode } from 'react'
import { fullTime } from '@/lib/format'
import { displayName } from '@/lib/text'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { decisionStateNames, deletedUserName } from '../model'

/** What was decided and why, beside what the person says to it, and what was answered. */
export function CaseDecision({ one }: { one: AdminCase }) {
  const { decision, decidedAt, appeal, appealedAt, appealOutcome, appealAnswer } = one
  if (!decision || !decidedAt) return null
  return (
    <Box
      display="grid"
      gap="3"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr)',
        md: appeal ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)',
      }}
    >
      <Said
        title={`${decisionStateNames[decision]} by ${displayName(one.decidedBy, deletedUserName)}`}
        at={decidedAt}
        more={one.suspendedUntil ? `Until ${fullTime(one.suspendedUntil)}` : undefined}
      >
        {one.reason}
      </Said>
      {appeal && appealedAt && (
        <Said title={`${displayName(one.person, deletedUserName)} appeals`} at={appealedAt}>
          {appeal}
        </Said>
      )}
      {appealOutcome && (
        <Said
          title={`${appealOutcome === 'overturned' ? 'Granted' : 'Turned down'} by ${displayName(one.appealDecidedBy, deletedUserName)}`}
        >
          {appealAnswer}
        </Said>
      )}
    </Box>
  )
}

function Said({
  title,
  at,
  more,
  children,
}: {
  title: string
  at?: string
  more?: string | undefined
  children: ReactNode
}) {
  return (
    <Box bg="sunken" borderRadius="md" padding="3.5" minWidth="0">
      <Box textStyle="label" overflowWrap="anywhere" {...userTextParagraphs}>
        {title}
      </Box>
      {at && (
        <Box textStyle="caption" color="muted">
          <time dateTime={at}>{fullTime(at)}</time>
          {more && ` · ${more}`}
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

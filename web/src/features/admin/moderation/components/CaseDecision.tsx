import { Box } from '@chakra-ui/react'
import type { AdminCase } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { fullTime } from '@/lib/time'
import { userTextParagraphs } from '@/ui/UserText'
import { aboveRowButton } from '../../components/RowButton'
import { userName } from '../../user-name'
import { decidedByText } from '../model'

/** Shows the decision with its reason, the appeal, and the answer to it. */
export function CaseDecision({ moderationCase }: { moderationCase: AdminCase }) {
  const { decision, decidedAt, appeal, appealedAt, appealOutcome, appealAnswer } = moderationCase
  if (!decision || !decidedAt) return null
  const name = userName(moderationCase.person)
  const admin = userName(moderationCase.appealDecidedBy)
  const until = moderationCase.suspendedUntil && fullTime(moderationCase.suspendedUntil)
  return (
    <Box
      {...aboveRowButton}
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

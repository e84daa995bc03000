import { Box } from '@chakra-ui/react'
import type { AdminCase, DecisionKind } from '@contract/moderation.ts'
import { Button, type ButtonProps } from '@/ui/Button'
import { availableDecisions, decisionNames, subjectText } from '../model'

/** What is asked for about a case: a decision, an answer to its appeal, or all that is known of it. */
export type CaseDialogKind = DecisionKind | 'grant' | 'refuse' | 'details'
/** Told what was pressed for it as well. */
export type OpenCaseDialog = (asked: CaseDialogKind, from: HTMLElement) => void

const variants: Partial<Record<CaseDialogKind, ButtonProps['variant']>> = { details: 'ghost', grant: 'ember' }

/** What can be done about a case as it stands. */
export function CaseActions({ one, name, onAsk }: { one: AdminCase; name: string; onAsk: OpenCaseDialog }) {
  const offered: [CaseDialogKind, string][] = [
    ...(one.state === 'open'
      ? availableDecisions([one.kind]).map((decision): [CaseDialogKind, string] => [
          decision,
          decisionNames[decision],
        ])
      : []),
    ...(one.mayAnswer
      ? ([
          ['grant', 'Grant'],
          ['refuse', 'Turn down'],
        ] satisfies [CaseDialogKind, string][])
      : []),
    ['details', 'Details'],
  ]
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" gap="2">
      {one.state === 'appealed' && !one.mayAnswer && (
        <Box textStyle="small" color="muted" marginInlineEnd="2">
          Another admin has to answer this appeal.
        </Box>
      )}
      {offered.map(([asked, label]) => (
        <Button
          key={asked}
          size="sm"
          variant={variants[asked] ?? 'outline'}
          paddingInline={{ base: '3', sm: '4' }}
          aria-label={`${label}: ${subjectText(one.kind, name)}`}
          onClick={({ currentTarget }) => onAsk(asked, currentTarget)}
        >
          {label}
        </Button>
      ))}
    </Box>
  )
}

import type { AdminCase, BulkDecisionResponse, DecisionKind } from '@contract/moderation.ts'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { useDecideCases } from '../decisions-api'
import { decisionEffect, decisionNames, deletedUserName, pluralizeCases, subjectNoun } from '../model'
import { DecisionDialog } from './DecisionDialog'
import { DecisionFields } from './DecisionFields'
import { useDecisionForm } from './useDecisionForm'

/** Asks what belongs to a decision about one case, or several alike. */
export function DecideDialog({
  cases,
  decision,
  open,
  onClose,
  onDecided,
  finalFocus,
}: {
  /** At least one. */
  cases: readonly AdminCase[]
  decision: DecisionKind
  open: boolean
  onClose: () => void
  onDecided: (answer: BulkDecisionResponse) => void
  finalFocus: () => HTMLElement | null
}) {
  const { complete, typed, ...fields } = useDecisionForm(decision)
  const guard = useLeaveGuard(open && typed)
  const { send, isPending, failure } = useDecideCases((answer) => {
    onDecided(answer)
    onClose()
  })
  const kinds = cases.map(({ kind }) => kind)
  const [only] = cases.length === 1 ? cases : []
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={`${decisionNames[decision]} ${only ? `this ${objectOf(decision, only)}` : objectsOf(decision, cases.length)}?`}
      description={
        <>
          {only && (
            <>
              {only.kind === 'user' ? 'About' : 'By'} <bdi>{displayName(only.person, deletedUserName)}</bdi>.{' '}
            </>
          )}
          {decisionEffect(decision, kinds)}
        </>
      }
      action={decisionNames[decision]}
      danger={decision === 'remove' || decision === 'suspend'}
      typed={typed}
      guard={guard}
      complete={complete}
      send={(request) => send({ ids: cases.map(({ id }) => id), decision: request })}
      isPending={isPending}
      failure={failure}
    >
      <DecisionFields {...fields} kinds={kinds} />
    </DecisionDialog>
  )
}

/** Persons are warned and suspended, whatever it was for. */
const concernsPeople = (decision: DecisionKind) => decision === 'warn' || decision === 'suspend'

/** What a decision is made about. */
const objectOf = (decision: DecisionKind, { kind }: AdminCase) =>
  decision === 'dismiss' ? 'case' : concernsPeople(decision) ? 'person' : subjectNoun(kind)
/** The same of several cases. */
const objectsOf = (decision: DecisionKind, count: number) =>
  concernsPeople(decision) ? `the people in ${pluralizeCases(count)}` : pluralizeCases(count)

import type { DecisionKind } from '@contract/moderation.ts'
import { isolateBidi } from '@/lib/bidi'
import type { ReportSubject } from '@/moderation/dialogs'
import { RadioGroup } from '@/ui/RadioGroup'
import { useModerate } from '../decisions-api'
import { availableDecisions, decisionEffect, decisionNames } from '../model'
import { DecisionDialog } from './DecisionDialog'
import { DecisionFields } from './DecisionFields'
import { useDecisionForm } from './useDecisionForm'

/** Has an admin decide about something from where it is shown, whether or not somebody reported it. */
export default function ModerateDialog({
  subject,
  open,
  onClose,
}: {
  subject: ReportSubject
  open: boolean
  onClose: () => void
}) {
  const { kind, id, person } = subject
  const { complete, typed, ...fields } = useDecisionForm(null)
  const { send, isPending, failure } = useModerate(onClose)
  const { decision } = fields.form
  const kinds = [kind]
  const options = availableDecisions(kinds)
    .filter((value): value is Exclude<DecisionKind, 'dismiss'> => value !== 'dismiss')
    .map((value) => ({ value, label: labelOf(value, kind === 'user'), hint: decisionEffect(value, kinds) }))
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={subject.finalFocus}
      title={kind === 'user' ? `Moderate ${isolateBidi(person.name)}` : `Moderate this ${kind}`}
      description={
        <>
          {kind !== 'user' && (
            <>
              By <bdi>{person.name}</bdi>.{' '}
            </>
          )}
          What people reported about it is decided with it, and they hear so.
        </>
      }
      action={decision ? decisionNames[decision] : 'Decide'}
      danger={decision === 'remove' || decision === 'suspend'}
      typed={typed}
      complete={complete}
      send={(request) => request.decision !== 'dismiss' && send({ kind, id, decision: request })}
      isPending={isPending}
      failure={failure}
    >
      <RadioGroup
        label="What is to happen?"
        options={options}
        value={decision === 'dismiss' ? null : decision}
        onChange={(value) => fields.change({ decision: value })}
        error={fields.wrong.decision}
      />
      <DecisionFields {...fields} kinds={kinds} />
    </DecisionDialog>
  )
}

function labelOf(decision: Exclude<DecisionKind, 'dismiss'>, isPerson: boolean): string {
  if (decision === 'suspend') return isPerson ? 'Suspend them' : 'Suspend its author'
  if (decision === 'remove') return isPerson ? 'Remove the account' : 'Remove it'
  return decision === 'hide' ? 'Hide it' : 'Warn'
}

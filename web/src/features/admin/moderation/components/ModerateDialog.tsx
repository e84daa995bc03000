import type { DecisionKind } from '@contract/moderation.ts'
import { isolateBidi } from '@/lib/text'
import type { ReportSubject } from '@/moderation/dialogs'
import { RadioGroup } from '@/ui/RadioGroup'
import { useModerate } from '../api'
import { availableDecisions, decisionEffect, decisionNames } from '../model'
import { DecisionDialog, DecisionFields, useDecisionForm } from './DecisionDialog'

/** Shows the dialog in which an admin moderates content or a user, whether or not it was reported. */
export default function ModerateDialog({
  subject,
  open,
  onClose,
}: {
  subject: ReportSubject
  open: boolean
  onClose: () => void
}) {
  const { kind, id, user } = subject
  const { validate, isDirty, ...fields } = useDecisionForm(null)
  const { send, isPending, error } = useModerate(onClose)
  const { decision } = fields.form
  const kinds = [kind]
  const options = availableDecisions(kinds)
    .filter((value): value is Exclude<DecisionKind, 'dismiss'> => value !== 'dismiss')
    .map((value) => ({
      value,
      label: decisionLabel(value, kind === 'user'),
      hint: decisionEffect(value, kinds),
    }))
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={subject.finalFocus}
      title={kind === 'user' ? `Moderate ${isolateBidi(user.name)}` : `Moderate this ${kind}`}
      description={
        <>
          {kind !== 'user' && (
            <>
              By <bdi>{user.name}</bdi>.{' '}
            </>
          )}
          What people reported about it is decided with it, and they hear so.
        </>
      }
      submitLabel={decision ? decisionNames[decision] : 'Decide'}
      danger={decision === 'remove' || decision === 'suspend'}
      isDirty={isDirty}
      validate={validate}
      onSubmit={(request) => request.decision !== 'dismiss' && send({ kind, id, decision: request })}
      isPending={isPending}
      error={error}
    >
      <RadioGroup
        label="What is to happen?"
        options={options}
        value={decision === 'dismiss' ? null : decision}
        onChange={(value) => fields.change({ decision: value })}
        error={fields.errors.decision}
      />
      <DecisionFields {...fields} kinds={kinds} />
    </DecisionDialog>
  )
}

function decisionLabel(decision: Exclude<DecisionKind, 'dismiss'>, isUser: boolean): string {
  if (decision === 'suspend') return isUser ? 'Suspend them' : 'Suspend its author'
  if (decision === 'remove') return isUser ? 'Remove the account' : 'Remove it'
  return decision === 'hide' ? 'Hide it' : 'Warn'
}

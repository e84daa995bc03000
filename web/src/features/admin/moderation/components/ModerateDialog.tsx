import type { DecisionKind, SubjectKind } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { Controller, useWatch } from 'react-hook-form'
import { isolateBidi } from '@/lib/text'
import type { ReportSubject } from '@/moderation/dialogs'
import { RadioGroup } from '@/ui/RadioGroup'
import { FormDialog } from '../../components/FormDialog'
import { useModerate } from '../api'
import { availableDecisions, decisionEffect, decisionName } from '../model'
import { DecisionFields, SubjectAuthor, useDecisionForm } from './DecisionForm'

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
  const form = useDecisionForm(null)
  const { control } = form
  const [decision, reason] = useWatch({ control, name: ['decision', 'reason'] })
  const { send, isPending, error } = useModerate(onClose)
  const kinds = [kind]
  const options = availableDecisions(kinds)
    .filter((value): value is Exclude<DecisionKind, 'dismiss'> => value !== 'dismiss')
    .map((value) => ({
      value,
      label: decisionLabel(value, kind),
      hint: decisionEffect(value, kinds),
    }))
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      finalFocus={subject.finalFocus}
      title={dialogTitle(kind, isolateBidi(user.name))}
      description={
        <>
          {kind !== 'user' && (
            <>
              <SubjectAuthor kind={kind} name={user.name} />{' '}
            </>
          )}
          {t`This also resolves the open reports, and the reporters are notified.`}
        </>
      }
      submitLabel={decision ? decisionName(decision, kinds) : t`Apply`}
      danger={decision === 'remove' || decision === 'suspend'}
      isDirty={reason.trim() !== ''}
      onSubmit={form.handleSubmit((request) => {
        if (request.decision !== 'dismiss') send({ kind, id, decision: request })
      })}
      isPending={isPending}
      error={error}
      discardText={t`No decision has been made.`}
    >
      <Controller
        control={control}
        name="decision"
        // Revalidates the fields whose rules depend on the decision.
        rules={{ deps: ['reason', 'days'] }}
        render={({ field, fieldState }) => (
          <RadioGroup
            label={t`Action`}
            options={options}
            value={field.value === 'dismiss' ? null : field.value}
            onChange={field.onChange}
            error={fieldState.error && t`Choose an action.`}
            firstRef={field.ref}
          />
        )}
      />
      <DecisionFields form={form} kinds={kinds} />
    </FormDialog>
  )
}

function dialogTitle(kind: SubjectKind, name: string): string {
  switch (kind) {
    case 'post':
      return t`Moderate this post`
    case 'comment':
      return t`Moderate this comment`
    case 'message':
      return t`Moderate this message`
    case 'user':
      return t`Moderate ${name}`
  }
}

function decisionLabel(decision: Exclude<DecisionKind, 'dismiss'>, kind: SubjectKind): string {
  const isUser = kind === 'user'
  if (decision === 'suspend') return isUser ? t`Suspend the user` : t`Suspend the author`
  if (decision === 'remove' && isUser) return t`Remove the account`
  return decisionName(decision, [kind])
}

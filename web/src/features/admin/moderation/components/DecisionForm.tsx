import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type DecisionKind, DecisionRequest, type SubjectKind } from '@contract/moderation.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { NoteField, SelectField, TextField } from '@/ui/Field'
import { CheckboxField } from '@/ui/RadioGroup'
import { durationText, suspensionDayOptions, untilLiftedOption } from '../model'

/** Names the author of reported content, or the reported user. */
export function SubjectAuthor({ kind, name }: { kind: SubjectKind; name: string }) {
  const author = <bdi>{name}</bdi>
  return kind === 'user' ? <Trans>About {author}.</Trans> : <Trans>By {author}.</Trans>
}

/** Shows the reason and the other fields of the chosen decision. */
export function DecisionFields({
  form,
  kinds,
}: {
  form: DecisionForm
  /** The kinds of the subjects. */
  kinds: readonly SubjectKind[]
}) {
  const { control } = form
  const decision = useWatch({ control, name: 'decision' })
  if (decision === null) return null
  const hasContent = kinds.some((kind) => kind !== 'user')
  const hasUsers = kinds.includes('user')
  const { max } = limits.moderationReason
  const minimumPayout = dollars(limits.minimumPayout)
  return (
    <>
      <Controller
        control={control}
        name="reason"
        render={({ field, fieldState }) => (
          <NoteField
            {...field}
            label={decision === 'dismiss' ? t`Reason (optional)` : t`Reason`}
            hint={reasonHint(decision, kinds)}
            max={max}
            tooLong={t`A reason can have at most ${max} characters.`}
            error={fieldErrorText(fieldState.error)}
          />
        )}
      />
      {decision === 'suspend' && <DurationFields form={form} />}
      {decision === 'suspend' && hasContent && (
        <Controller
          control={control}
          name="hide"
          render={({ field }) => (
            <CheckboxField
              label={kinds.length === 1 ? hideLabel(kinds[0]) : t`Also hide the reported content`}
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
      {decision === 'remove' && hasUsers && (
        <Controller
          control={control}
          name="giveUpBalance"
          render={({ field }) => (
            <CheckboxField
              label={t`Forfeit their balance`}
              hint={t`Otherwise, accounts with a balance of ${minimumPayout} or more can't be removed.`}
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </>
  )
}

function reasonHint(decision: DecisionKind, kinds: readonly SubjectKind[]): string {
  if (decision === 'dismiss') return t`Kept with the case. Only admins can see it.`
  if (decision === 'remove' && kinds.every((kind) => kind === 'user')) {
    return t`Included in the email to the user.`
  }
  return kinds.length === 1
    ? t`The user sees this text and can appeal once.`
    : t`Each user sees this text and can appeal once.`
}

function hideLabel(kind: SubjectKind | undefined): string {
  if (kind === 'post') return t`Also hide the post`
  return kind === 'comment' ? t`Also hide the comment` : t`Also hide the message`
}

function DurationFields({ form: { control, register, formState } }: { form: DecisionForm }) {
  const isCustom = useWatch({ control, name: 'duration' }) === customOption
  const { max } = limits.suspensionDays
  return (
    <Box display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: isCustom ? '1fr 1fr' : '1fr' }}>
      <SelectField label={t`Duration`} {...register('duration', { deps: 'days' })}>
        {suspensionDayOptions.map((count) => (
          <option key={count} value={count}>
            {durationText(count)}
          </option>
        ))}
        <option value={customOption}>{t`Custom`}</option>
        <option value={untilLiftedOption}>{t`Until lifted`}</option>
      </SelectField>
      {isCustom && (
        <TextField
          label={t`Days`}
          inputMode="numeric"
          autoComplete="off"
          hint={t`Up to ${max}`}
          error={fieldErrorText(formState.errors.days)}
          {...register('days')}
        />
      )}
    </Box>
  )
}

type DecisionFormValues = {
  decision: DecisionKind | null
  reason: string
  /** A number of days, `customOption` or `untilLiftedOption`. */
  duration: string
  /** The number of days if `duration` is `customOption`. */
  days: string
  hide: boolean
  giveUpBalance: boolean
}

const customOption = 'own'

/** Converts the form's values to a decision and validates it. */
const decisionSchema = z
  .custom<DecisionFormValues>()
  .transform((values): unknown => ({
    decision: values.decision,
    ...decisionOptions(values),
    ...(values.reason.trim() && { reason: values.reason }),
  }))
  .pipe(DecisionRequest)

/** Returns the fields that only this type of decision has. */
function decisionOptions({ decision, duration, days, hide, giveUpBalance }: DecisionFormValues) {
  if (decision === 'remove') return { giveUpBalance }
  if (decision !== 'suspend') return {}
  return {
    hide,
    days: duration === untilLiftedOption ? null : parseDays(duration === customOption ? days : duration),
  }
}

const parseDays = (text: string) => (text.trim() === '' ? undefined : Number(text))

/** Returns the form for a decision. */
export function useDecisionForm(decision: DecisionKind | null) {
  const defaultValues: DecisionFormValues = {
    decision,
    reason: '',
    duration: '7',
    days: '',
    hide: true,
    giveUpBalance: false,
  }
  return useForm({ resolver: zodResolver(decisionSchema), defaultValues })
}
type DecisionForm = ReturnType<typeof useDecisionForm>

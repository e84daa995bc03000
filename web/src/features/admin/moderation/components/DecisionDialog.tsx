import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type DecisionKind, DecisionRequest, type SubjectKind } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { dollars } from '@/lib/format'
import type { LeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { NoteField, SelectField, TextField } from '@/ui/Field'
import { CheckboxField } from '@/ui/RadioGroup'
import { firstFieldErrors } from '../../validation-errors'
import { durationText, suspensionDayOptions, untilLiftedOption } from '../model'

/** Shows the dialog for a decision or an answer to an appeal. The fields are `children`. */
export function DecisionDialog<Request>({
  open,
  onClose,
  finalFocus,
  initialFocus,
  title,
  description,
  submitLabel,
  danger = false,
  isDirty,
  guard,
  validate,
  onSubmit,
  isPending,
  error,
  discardText = t`No decision has been made.`,
  children,
}: {
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  initialFocus?: () => HTMLElement | null
  title: string
  description: ReactNode
  submitLabel: string
  danger?: boolean
  /** Whether there is input to lose. */
  isDirty: boolean
  /** The leave guard of the page, if the user can leave it while the dialog is open. */
  guard?: LeaveGuard
  /** Returns the request, or null if the input is invalid; the fields then show the errors. */
  validate: () => Request | null
  onSubmit: (request: Request) => void
  isPending: boolean
  error: string | null
  /** The consequence of discarding the input. */
  discardText?: string
  children: ReactNode
}) {
  const form = useId()
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty,
    busy: isPending,
    onClose,
    finalFocus,
    guard,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending || !open) return
    const { currentTarget } = event
    const request = validate()
    if (request) onSubmit(request)
    // Waits until the invalid fields are marked.
    else setTimeout(() => findInvalidField(currentTarget)?.focus())
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={initialFocus}
        title={title}
        description={description}
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              {t`Cancel`}
            </Button>
            <Button type="submit" form={form} variant={danger ? 'danger' : 'ember'} pending={isPending}>
              {submitLabel}
            </Button>
          </>
        }
      >
        <chakra.form id={form} noValidate onSubmit={submit} display="grid" gap="4" paddingBlock="1">
          {children}
          {error && (
            <Box role="alert" textStyle="small" color="danger.text" overflowWrap="anywhere">
              {error}
            </Box>
          )}
        </chakra.form>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text={discardText} />
    </>
  )
}

/** Names the author of reported content, or the reported user. */
export function SubjectAuthor({ kind, name }: { kind: SubjectKind; name: string }) {
  const author = <bdi>{name}</bdi>
  return kind === 'user' ? <Trans>About {author}.</Trans> : <Trans>By {author}.</Trans>
}

const findInvalidField = (form: HTMLFormElement) =>
  form.querySelector<HTMLElement>('[aria-invalid=true]') ??
  form.querySelector<HTMLElement>('input[type=radio]')

type DecisionFieldsProps = Pick<ReturnType<typeof useDecisionForm>, 'form' | 'change' | 'errors'> & {
  /** The kinds of the subjects. */
  kinds: readonly SubjectKind[]
}

/** Shows the reason and the other fields of the chosen decision. */
export function DecisionFields({ form, change, errors, kinds }: DecisionFieldsProps) {
  const { decision } = form
  if (decision === null) return null
  const hasContent = kinds.some((kind) => kind !== 'user')
  const hasUsers = kinds.includes('user')
  const { max } = limits.moderationReason
  const minimumPayout = dollars(limits.minimumPayout)
  return (
    <>
      <NoteField
        label={decision === 'dismiss' ? t`Reason (optional)` : t`Reason`}
        hint={reasonHint(decision, kinds)}
        value={form.reason}
        onChange={(reason) => change({ reason })}
        max={max}
        tooLong={t`A reason can have at most ${max} characters.`}
        error={errors.reason}
      />
      {decision === 'suspend' && <DurationFields form={form} change={change} errors={errors} />}
      {decision === 'suspend' && hasContent && (
        <CheckboxField
          label={kinds.length === 1 ? hideLabel(kinds[0]) : t`Also hide the reported content`}
          checked={form.hide}
          onChange={(hide) => change({ hide })}
        />
      )}
      {decision === 'remove' && hasUsers && (
        <CheckboxField
          label={t`Forfeit their balance`}
          hint={t`Otherwise, accounts with a balance of ${minimumPayout} or more can't be removed.`}
          checked={form.giveUp}
          onChange={(giveUp) => change({ giveUp })}
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

function DurationFields({ form, change, errors }: Omit<DecisionFieldsProps, 'kinds'>) {
  const isCustom = form.days === customDaysOption
  const { max } = limits.suspensionDays
  return (
    <Box display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: isCustom ? '1fr 1fr' : '1fr' }}>
      <SelectField
        label={t`Duration`}
        value={form.days}
        onChange={({ target }) => change({ days: target.value })}
      >
        {suspensionDayOptions.map((count) => (
          <option key={count} value={count}>
            {durationText(count)}
          </option>
        ))}
        <option value={customDaysOption}>{t`Custom`}</option>
        <option value={untilLiftedOption}>{t`Until lifted`}</option>
      </SelectField>
      {isCustom && (
        <TextField
          label={t`Days`}
          inputMode="numeric"
          autoComplete="off"
          value={form.customDays}
          onChange={({ target }) => change({ customDays: target.value })}
          hint={t`Up to ${max}`}
          error={errors.days}
        />
      )}
    </Box>
  )
}

/** The values of the form. */
type DecisionForm = {
  decision: DecisionKind | null
  reason: string
  /** A number of days, `customDaysOption` or `untilLiftedOption`. */
  days: string
  customDays: string
  hide: boolean
  giveUp: boolean
}

const customDaysOption = 'own'

type FieldErrors = Partial<Record<'decision' | 'reason' | 'days', string>>

/** Holds the form of a decision. Errors are shown after the first attempt to submit. */
export function useDecisionForm(decision: DecisionKind | null) {
  const [form, setForm] = useState<DecisionForm>({
    decision,
    reason: '',
    days: '7',
    customDays: '',
    hide: true,
    giveUp: false,
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const result = validateForm(form)
  return {
    form,
    isDirty: form.reason.trim() !== '',
    change: (fields: Partial<DecisionForm>) => setForm((previous) => ({ ...previous, ...fields })),
    errors: isSubmitted && 'errors' in result ? result.errors : {},
    /** Returns the decision, or null if it is invalid; the errors are shown from then on. */
    validate: (): DecisionRequest | null => {
      setSubmitted(true)
      return 'request' in result ? result.request : null
    },
  }
}

function validateForm(form: DecisionForm): { request: DecisionRequest } | { errors: FieldErrors } {
  const { decision, reason } = form
  if (decision === null) return { errors: { decision: t`Choose an action.` } }
  const parsed = DecisionRequest.safeParse({
    decision,
    ...decisionOptions(form),
    ...(reason.trim() && { reason }),
  })
  if (parsed.success) return { request: parsed.data }
  const errors = firstFieldErrors(parsed.error)
  return { errors: { reason: errors.reason, days: errors.days } }
}

/** Returns the fields of a decision other than its reason. */
function decisionOptions({ decision, days, customDays, hide, giveUp }: DecisionForm) {
  if (decision === 'remove') return { giveUpBalance: giveUp }
  if (decision !== 'suspend') return {}
  return {
    hide,
    days: days === untilLiftedOption ? null : parseDays(days === customDaysOption ? customDays : days),
  }
}

const parseDays = (text: string) => (text.trim() === '' ? undefined : Number(text))

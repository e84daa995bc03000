import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type DecisionKind, DecisionRequest, type SubjectKind } from '@contract/moderation.ts'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { dollars } from '@/lib/format'
import type { LeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { NoteField, SelectField, TextField } from '@/ui/Field'
import { CheckboxField } from '@/ui/RadioGroup'
import { suspensionDayOptions, untilLiftedOption } from '../model'

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
  discardText = 'Nothing was decided, and it is not kept.',
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
              Cancel
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
  return (
    <>
      <NoteField
        label={decision === 'dismiss' ? 'Reason, if you like' : 'Reason'}
        hint={
          decision === 'dismiss'
            ? 'Kept with the case, for admins.'
            : decision === 'remove' && !hasContent
              ? 'It is written to them, word for word.'
              : `${kinds.length === 1 ? 'The person reads' : 'Each of them reads'} this, word for word, and may appeal once.`
        }
        value={form.reason}
        onChange={(reason) => change({ reason })}
        max={max}
        tooLong={`A reason can have at most ${max} characters.`}
        error={errors.reason}
      />
      {decision === 'suspend' && <DurationFields form={form} change={change} errors={errors} />}
      {decision === 'suspend' && hasContent && (
        <CheckboxField
          label={kinds.length === 1 ? `Hide the ${kinds[0]} as well` : 'Hide what was reported as well'}
          checked={form.hide}
          onChange={(hide) => change({ hide })}
        />
      )}
      {decision === 'remove' && hasUsers && (
        <CheckboxField
          label="Give up what could still be paid out to them"
          hint={`Left off, an account with ${dollars(limits.minimumPayout)} or more stays, and you are told how much it is.`}
          checked={form.giveUp}
          onChange={(giveUp) => change({ giveUp })}
        />
      )}
    </>
  )
}

function DurationFields({ form, change, errors }: Omit<DecisionFieldsProps, 'kinds'>) {
  const isCustom = form.days === customDaysOption
  return (
    <Box display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: isCustom ? '1fr 1fr' : '1fr' }}>
      <SelectField
        label="For how long"
        value={form.days}
        onChange={({ target }) => change({ days: target.value })}
      >
        {suspensionDayOptions.map((count) => (
          <option key={count} value={count}>
            {count === 1 ? '1 day' : `${count} days`}
          </option>
        ))}
        <option value={customDaysOption}>Another number of days</option>
        <option value={untilLiftedOption}>Until it is lifted</option>
      </SelectField>
      {isCustom && (
        <TextField
          label="Days"
          inputMode="numeric"
          autoComplete="off"
          value={form.customDays}
          onChange={({ target }) => change({ customDays: target.value })}
          hint={`At most ${limits.suspensionDays.max}`}
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
  if (decision === null) return { errors: { decision: 'Please choose what is to happen.' } }
  const parsed = DecisionRequest.safeParse({
    decision,
    ...decisionOptions(form),
    ...(reason.trim() && { reason }),
  })
  if (parsed.success) return { request: parsed.data }
  const messageAt = (field: string) => parsed.error.issues.find(({ path }) => path[0] === field)?.message
  return { errors: { reason: messageAt('reason'), days: messageAt('days') } }
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

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { SubjectKind } from '@contract/moderation.ts'
import { dollars } from '@/lib/format'
import { SelectField, TextField } from '@/ui/Field'
import { NoteField } from '@/ui/NoteField'
import { CheckboxField } from '@/ui/RadioGroup'
import {
  customDaysOption,
  type DecisionForm,
  dayOptions,
  untilLiftedOption,
  type useDecisionForm,
} from './useDecisionForm'

type Props = Pick<ReturnType<typeof useDecisionForm>, 'form' | 'change' | 'wrong'> & {
  /** Of what is decided about. */
  kinds: readonly SubjectKind[]
}

/** What belongs to the decision that was chosen: why, and for some of them more. */
export function DecisionFields({ form, change, wrong, kinds }: Props) {
  const { decision } = form
  if (decision === null) return null
  const things = kinds.some((kind) => kind !== 'user')
  const persons = kinds.includes('user')
  const { max } = limits.moderationReason
  return (
    <>
      <NoteField
        label={decision === 'dismiss' ? 'Reason, if you like' : 'Reason'}
        hint={
          decision === 'dismiss'
            ? 'Kept with the case, for admins.'
            : decision === 'remove' && !things
              ? 'It is written to them, word for word.'
              : `${kinds.length === 1 ? 'The person reads' : 'Each of them reads'} this, word for word, and may appeal once.`
        }
        value={form.reason}
        onChange={(reason) => change({ reason })}
        max={max}
        tooLong={`A reason can have at most ${max} characters.`}
        error={wrong.reason}
      />
      {decision === 'suspend' && <HowLong form={form} change={change} wrong={wrong} />}
      {decision === 'suspend' && things && (
        <CheckboxField
          label={kinds.length === 1 ? `Hide the ${kinds[0]} as well` : 'Hide what was reported as well'}
          checked={form.hide}
          onChange={(hide) => change({ hide })}
        />
      )}
      {decision === 'remove' && persons && (
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

function HowLong({ form, change, wrong }: Pick<Props, 'change' | 'wrong'> & { form: DecisionForm }) {
  const isOwn = form.days === customDaysOption
  return (
    <Box display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: isOwn ? '1fr 1fr' : '1fr' }}>
      <SelectField
        label="For how long"
        value={form.days}
        onChange={({ target }) => change({ days: target.value })}
      >
        {dayOptions.map((count) => (
          <option key={count} value={count}>
            {count === 1 ? '1 day' : `${count} days`}
          </option>
        ))}
        <option value={customDaysOption}>Another number of days</option>
        <option value={untilLiftedOption}>Until it is lifted</option>
      </SelectField>
      {isOwn && (
        <TextField
          label="Days"
          inputMode="numeric"
          autoComplete="off"
          value={form.ownDays}
          onChange={({ target }) => change({ ownDays: target.value })}
          hint={`At most ${limits.suspensionDays.max}`}
          error={wrong.days}
        />
      )}
    </Box>
  )
}

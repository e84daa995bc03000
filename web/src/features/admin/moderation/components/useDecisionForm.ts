import { type DecisionKind, DecisionRequest } from '@contract/moderation.ts'
import { useState } from 'react'

/** A decision as it is being made. */
export type DecisionForm = {
  decision: DecisionKind | null
  reason: string
  /** A number of days, or one of the words below. */
  days: string
  ownDays: string
  hide: boolean
  giveUp: boolean
}

export const untilLiftedOption = 'lifted'
export const customDaysOption = 'own'
/** Days that are offered. */
export const dayOptions = [1, 3, 7, 30, 90]

type Wrong = Partial<Record<'decision' | 'reason' | 'days', string>>

/** What is decided, field by field, and what stands in its way once it was tried. */
export function useDecisionForm(decision: DecisionKind | null) {
  const [form, setForm] = useState<DecisionForm>({
    decision,
    reason: '',
    days: '7',
    ownDays: '',
    hide: true,
    giveUp: false,
  })
  const [tried, setTried] = useState(false)
  const checked = check(form)
  return {
    form,
    /** A reason would be lost. */
    typed: form.reason.trim() !== '',
    change: (fields: Partial<DecisionForm>) => setForm((before) => ({ ...before, ...fields })),
    wrong: tried && 'wrong' in checked ? checked.wrong : {},
    /** The decision; null where something is wrong with it, which is shown from then on. */
    complete: (): DecisionRequest | null => {
      setTried(true)
      return 'request' in checked ? checked.request : null
    },
  }
}

function check(form: DecisionForm): { request: DecisionRequest } | { wrong: Wrong } {
  const { decision, reason } = form
  if (decision === null) return { wrong: { decision: 'Please choose what is to happen.' } }
  const parsed = DecisionRequest.safeParse({ decision, ...partsOf(form), ...(reason.trim() && { reason }) })
  if (parsed.success) return { request: parsed.data }
  const messageAt = (field: string) => parsed.error.issues.find(({ path }) => path[0] === field)?.message
  return { wrong: { reason: messageAt('reason'), days: messageAt('days') } }
}

/** What a decision has beside its reason. */
function partsOf({ decision, days, ownDays, hide, giveUp }: DecisionForm) {
  if (decision === 'remove') return { giveUpBalance: giveUp }
  if (decision !== 'suspend') return {}
  return {
    hide,
    days: days === untilLiftedOption ? null : daysOf(days === customDaysOption ? ownDays : days),
  }
}

const daysOf = (text: string) => (text.trim() === '' ? undefined : Number(text))

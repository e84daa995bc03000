import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import {
  type AdminCase,
  AppealDecisionRequest,
  type BulkDecisionResponse,
  type DecisionKind,
} from '@contract/moderation.ts'
import { useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { NoteField } from '@/ui/Field'
import { userTextParagraphs } from '@/ui/UserText'
import { useAnswerAppeal, useDecideCases } from '../api'
import { decisionEffect, decisionNames, deletedUserName, pluralizeCases, subjectNoun } from '../model'
import { CaseDetailsDialog } from './CaseDetailsDialog'
import { DecisionDialog, DecisionFields, useDecisionForm } from './DecisionDialog'

/** A decision, an answer to an appeal, or the details of a case. */
export type CaseDialogKind = DecisionKind | 'grant' | 'refuse' | 'details'

/** Which dialog is shown for which cases. */
export type CaseDialogState = {
  open: boolean
  /** Increases with each opening, so that the fields start empty. */
  openCount: number
  kind: CaseDialogKind
  /** At least one. */
  cases: readonly AdminCase[]
  /** The button that opened the dialog. */
  trigger: HTMLElement
}

/** Shows the dialog that `dialog` describes. */
export function CaseDialogs({
  dialog: { open, openCount, kind, cases, trigger },
  onClose,
  onDecided,
  heading,
}: {
  dialog: CaseDialogState
  onClose: () => void
  onDecided: (response: BulkDecisionResponse) => void
  /** Returns the element that gets the focus if the trigger is unmounted. */
  heading: () => HTMLElement | null
}) {
  const finalFocus = () => (trigger.isConnected ? trigger : heading())
  const [firstCase] = cases
  if (!firstCase) return null
  const dialogProps = { open, onClose, finalFocus }
  if (kind === 'details') {
    return <CaseDetailsDialog key={openCount} {...dialogProps} moderationCase={firstCase} />
  }
  if (kind === 'grant' || kind === 'refuse') {
    return (
      <AppealDialog key={openCount} {...dialogProps} moderationCase={firstCase} grant={kind === 'grant'} />
    )
  }
  return <DecideDialog key={openCount} {...dialogProps} cases={cases} decision={kind} onDecided={onDecided} />
}

/** Shows the fields of a decision on one case, or on several at once. */
function DecideDialog({
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
  onDecided: (response: BulkDecisionResponse) => void
  finalFocus: () => HTMLElement | null
}) {
  const { validate, isDirty, ...fields } = useDecisionForm(decision)
  const guard = useLeaveGuard(open && isDirty)
  const { send, isPending, error } = useDecideCases((response) => {
    onDecided(response)
    onClose()
  })
  const kinds = cases.map(({ kind }) => kind)
  const [singleCase] = cases.length === 1 ? cases : []
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={`${decisionNames[decision]} ${singleCase ? `this ${decisionObject(decision, singleCase)}` : decisionObjects(decision, cases.length)}?`}
      description={
        <>
          {singleCase && (
            <>
              {singleCase.kind === 'user' ? 'About' : 'By'}{' '}
              <bdi>{displayName(singleCase.person, deletedUserName)}</bdi>.{' '}
            </>
          )}
          {decisionEffect(decision, kinds)}
        </>
      }
      submitLabel={decisionNames[decision]}
      danger={decision === 'remove' || decision === 'suspend'}
      isDirty={isDirty}
      guard={guard}
      validate={validate}
      onSubmit={(request) => send({ ids: cases.map(({ id }) => id), decision: request })}
      isPending={isPending}
      error={error}
    >
      <DecisionFields {...fields} kinds={kinds} />
    </DecisionDialog>
  )
}

/** Warnings and suspensions apply to the user, whatever the subject. */
const affectsUser = (decision: DecisionKind) => decision === 'warn' || decision === 'suspend'

/** Names what a decision applies to. */
const decisionObject = (decision: DecisionKind, { kind }: AdminCase) =>
  decision === 'dismiss' ? 'case' : affectsUser(decision) ? 'person' : subjectNoun(kind)
/** Names what a decision on several cases applies to. */
const decisionObjects = (decision: DecisionKind, count: number) =>
  affectsUser(decision) ? `the people in ${pluralizeCases(count)}` : pluralizeCases(count)

/** Shows the dialog that grants or turns down an appeal, with an answer to the user. */
function AppealDialog({
  moderationCase,
  grant,
  open,
  onClose,
  finalFocus,
}: {
  moderationCase: AdminCase
  grant: boolean
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const [answer, setAnswer] = useState('')
  const [answerError, setAnswerError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const { send, isPending, error } = useAnswerAppeal(onClose)
  const { max } = limits.moderationReason
  const isDirty = answer.trim() !== ''
  const guard = useLeaveGuard(open && isDirty)
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      initialFocus={() => field.current}
      title={grant ? 'Grant this appeal?' : 'Turn this appeal down?'}
      description={
        <>
          <bdi>{displayName(moderationCase.person, deletedUserName)}</bdi>{' '}
          {grant
            ? 'gets back what the decision took: what it hid is shown again, and its suspension ends.'
            : 'is told so, and the decision stays.'}{' '}
          This is for good.
        </>
      }
      submitLabel={grant ? 'Grant' : 'Turn down'}
      danger={!grant}
      isDirty={isDirty}
      guard={guard}
      validate={() => {
        const request = AppealDecisionRequest.safeParse({ outcome: grant ? 'overturned' : 'upheld', answer })
        setAnswerError(request.error?.issues[0]?.message)
        return request.data ?? null
      }}
      onSubmit={(request) => send({ id: moderationCase.id, ...request })}
      isPending={isPending}
      error={error}
      discardText="The appeal was not answered, and it is not kept."
    >
      {moderationCase.appeal && (
        <Box
          as="blockquote"
          paddingInlineStart="3.5"
          borderInlineStartWidth="3px"
          borderInlineStartColor="outline"
          maxHeight="12rem"
          overflowY="auto"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {moderationCase.appeal}
        </Box>
      )}
      <NoteField
        ref={field}
        label="Answer"
        hint="The person reads this, word for word."
        value={answer}
        onChange={(text) => {
          setAnswer(text)
          setAnswerError(undefined)
        }}
        max={max}
        tooLong={`An answer can have at most ${max} characters.`}
        error={answerError}
      />
    </DecisionDialog>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import {
  type AdminCase,
  AppealDecisionRequest,
  type BulkDecisionResponse,
  type DecisionKind,
} from '@contract/moderation.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { fieldErrorText } from '@/lib/errors'
import { useLeaveGuard } from '@/lib/leave-guard'
import { NoteField } from '@/ui/Field'
import { userTextParagraphs } from '@/ui/UserText'
import { FormDialog } from '../../components/FormDialog'
import { userName } from '../../user-name'
import { useAnswerAppeal, useDecideCases } from '../api'
import { decisionEffect, decisionName } from '../model'
import { CaseDetailsDialog } from './CaseDetailsDialog'
import { DecisionFields, SubjectAuthor, useDecisionForm } from './DecisionForm'

/** A decision, an answer to an appeal, or the details of a case. */
export type CaseDialogKind = DecisionKind | 'grant' | 'refuse' | 'details'

/** The dialog to show and its cases. */
export type CaseDialogState = {
  open: boolean
  /** Incremented each time a dialog opens, so that its fields start empty. */
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
  /** Returns the element that receives focus if the trigger is unmounted. */
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

/** Shows the dialog for a decision on one or several cases. */
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
  const form = useDecisionForm(decision)
  const isDirty = useWatch({ control: form.control, name: 'reason' }).trim() !== ''
  const guard = useLeaveGuard(open && isDirty)
  const { send, isPending, error } = useDecideCases((response) => {
    onDecided(response)
    onClose()
  })
  const kinds = cases.map(({ kind }) => kind)
  const [singleCase] = cases.length === 1 ? cases : []
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={singleCase ? decisionTitle(decision, singleCase) : bulkDecisionTitle(decision, cases.length)}
      description={
        <>
          {singleCase && (
            <>
              <SubjectAuthor kind={singleCase.kind} name={userName(singleCase.person)} />{' '}
            </>
          )}
          {decisionEffect(decision, kinds)}
        </>
      }
      submitLabel={decisionName(decision, kinds)}
      danger={decision === 'remove' || decision === 'suspend'}
      isDirty={isDirty}
      guard={guard}
      onSubmit={form.handleSubmit((request) => send({ ids: cases.map(({ id }) => id), decision: request }))}
      isPending={isPending}
      error={error}
      discardText={t`No decision has been made.`}
    >
      <DecisionFields form={form} kinds={kinds} />
    </FormDialog>
  )
}

/** Warnings and suspensions apply to the user, whatever the subject. */
function decisionTitle(decision: DecisionKind, { kind }: AdminCase): string {
  switch (decision) {
    case 'dismiss':
      return t`Dismiss this case?`
    case 'warn':
      return t`Warn this user?`
    case 'suspend':
      return t`Suspend this user?`
    case 'hide':
      if (kind === 'post') return t`Hide this post?`
      return kind === 'comment' ? t`Hide this comment?` : t`Hide this message?`
    case 'remove':
      if (kind === 'user') return t`Remove this account?`
      if (kind === 'post') return t`Remove this post?`
      return kind === 'comment' ? t`Remove this comment?` : t`Remove this message?`
  }
}

function bulkDecisionTitle(decision: DecisionKind, count: number): string {
  switch (decision) {
    case 'dismiss':
      return t`${plural(count, { one: 'Dismiss # case?', other: 'Dismiss # cases?' })}`
    case 'warn':
      return t`${plural(count, { one: 'Warn the user in # case?', other: 'Warn the users in # cases?' })}`
    case 'suspend':
      return t`${plural(count, {
        one: 'Suspend the user in # case?',
        other: 'Suspend the users in # cases?',
      })}`
    case 'hide':
      return t`${plural(count, { one: 'Hide # item?', other: 'Hide # items?' })}`
    case 'remove':
      return t`${plural(count, { one: 'Remove # item?', other: 'Remove # items?' })}`
  }
}

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
  const defaultValues: AppealDecisionRequest = { outcome: grant ? 'overturned' : 'upheld', answer: '' }
  const { control, handleSubmit, clearErrors } = useForm({
    resolver: zodResolver(AppealDecisionRequest),
    defaultValues,
    reValidateMode: 'onSubmit',
  })
  const { send, isPending, error } = useAnswerAppeal(onClose)
  const { max } = limits.moderationReason
  const name = <bdi>{userName(moderationCase.person)}</bdi>
  const isDirty = useWatch({ control, name: 'answer' }).trim() !== ''
  const guard = useLeaveGuard(open && isDirty)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={grant ? t`Grant this appeal?` : t`Turn down this appeal?`}
      description={
        grant ? (
          <Trans>
            This reverses the decision against {name}: hidden content is restored and the suspension ends. You
            can't undo this.
          </Trans>
        ) : (
          <Trans>The decision against {name} stays, and they are notified. You can't undo this.</Trans>
        )
      }
      submitLabel={grant ? t`Grant` : t`Turn down`}
      danger={!grant}
      isDirty={isDirty}
      guard={guard}
      onSubmit={handleSubmit((request) => send({ id: moderationCase.id, ...request }))}
      isPending={isPending}
      error={error}
      discardText={t`The appeal hasn't been answered.`}
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
      <Controller
        control={control}
        name="answer"
        render={({ field, fieldState }) => (
          <NoteField
            {...field}
            label={t`Answer`}
            hint={t`The user sees this text.`}
            onChange={(text) => {
              field.onChange(text)
              clearErrors('answer')
            }}
            max={max}
            tooLong={t`An answer can have at most ${max} characters.`}
            error={fieldErrorText(fieldState.error)}
          />
        )}
      />
    </FormDialog>
  )
}

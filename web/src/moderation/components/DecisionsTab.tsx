import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { AppealRequest, type Decision } from '@contract/moderation.ts'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { translateServerText } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { clearTextDraft, useTextDraft } from '@/lib/storage'
import { longDate } from '@/lib/time'
import { decisionTitle } from '@/locales/decision-title'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { ErrorText } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { decisionsQuery, useAppeal } from '../api'
import { SafetyList } from './SafetyList'

/** Shows the moderation decisions about the viewer with their reasons, and a form to appeal each. */
export function DecisionsTab() {
  const { user } = useCurrentUser()
  const list = useInfiniteQuery(decisionsQuery)
  const items = list.data?.pages.flatMap((page) => page.items)
  // Deletes drafts of appeals that another tab sent, or that the server received even though its response was lost.
  useEffect(() => {
    if (!user) return
    for (const { id, appeal } of list.data?.pages.flatMap((page) => page.items) ?? []) {
      if (appeal !== null) clearTextDraft(user.id, appealDraftName(id))
    }
  }, [user, list.data])
  return (
    <SafetyList
      title={t`Decisions`}
      text={t`What moderators decided about your account or content, and why. You can appeal each decision once.`}
      list={list}
      items={items}
      empty={{
        title: t`No decisions`,
        text: t`If we ever take action on your account or content, you’ll see it here with the reason.`,
      }}
      errorText={t`Couldn't load decisions. Try again.`}
    >
      {(decision) => <DecisionRow key={decision.id} decision={decision} />}
    </SafetyList>
  )
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { reason, excerpt, decidedAt } = decision
  return (
    <Box as="li" paddingInline={{ base: '4', md: '5' }} paddingBlock="5" borderTopWidth="1px">
      <Box display="flex" alignItems="flex-start" gap="3">
        <Box flex="1" minWidth="0">
          <Box as="h3" textStyle="label" overflowWrap="anywhere">
            {decisionTitle(decision)}
          </Box>
          <Box textStyle="small" color="muted">
            <TimeAgo at={decidedAt} />
          </Box>
        </Box>
        {decision.appealOutcome === 'overturned' && <Badge tone="success">{t`Overturned`}</Badge>}
      </Box>
      {excerpt && (
        <Box
          as="blockquote"
          marginTop="3"
          paddingInlineStart="3.5"
          borderInlineStartWidth="3px"
          borderInlineStartColor="outline"
          color="muted"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {excerpt}
        </Box>
      )}
      <LabeledText label={t`Reason`}>{reason}</LabeledText>
      <Appeal decision={decision} />
    </Box>
  )
}

function LabeledText({ label, children }: { label: string; children: string | null }) {
  return (
    <Box marginTop="3">
      <Box textStyle="small" color="muted">
        {label}
      </Box>
      <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
        {children}
      </Box>
    </Box>
  )
}

/** Shows the appeal and its outcome, or the form for an appeal until the deadline. */
function Appeal({ decision }: { decision: Decision }) {
  const { appeal, appealedAt, appealOutcome, appealAnswer, mayAppealUntil } = decision
  if (appeal && appealedAt) {
    return (
      <>
        <LabeledText label={t`Your appeal`}>{appeal}</LabeledText>
        {appealOutcome ? (
          <LabeledText label={appealOutcome === 'overturned' ? t`Appeal granted` : t`Appeal turned down`}>
            {appealAnswer}
          </LabeledText>
        ) : (
          <Box marginTop="3" textStyle="small" color="muted">
            {t`A different moderator will review it and let you know.`}
          </Box>
        )}
      </>
    )
  }
  if (mayAppealUntil) return <AppealForm decisionId={decision.id} deadline={mayAppealUntil} />
  return (
    <Box marginTop="3" textStyle="small" color="muted">
      {t`The deadline to appeal has passed.`}
    </Box>
  )
}

type AppealFormProps = { decisionId: string; deadline: string }

/** Shows a button that opens the form for an appeal. The draft survives failed requests and leaving the page. */
function AppealForm(props: AppealFormProps) {
  const { user } = useCurrentUser()
  return user && <UserAppealForm {...props} userId={user.id} />
}

const appealDraftName = (decisionId: string) => `draft:appeal:${decisionId}` as const

function UserAppealForm({ decisionId, deadline, userId }: AppealFormProps & { userId: string }) {
  const draft = useTextDraft(userId, appealDraftName(decisionId))
  const text = draft.text ?? ''
  const [isOpen, setIsOpen] = useState(false)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const openButton = useRef<HTMLButtonElement>(null)
  const { send, isPending, failure } = useAppeal(decisionId, () =>
    clearTextDraft(userId, appealDraftName(decisionId)),
  )
  const { max } = limits.appeal
  const maxLength = formatCount(max)
  const deadlineDate = longDate(deadline)
  if (!isOpen) {
    return (
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="3" marginTop="4">
        <Button
          ref={openButton}
          variant="outline"
          size="sm"
          onClick={() => {
            setIsOpen(true)
            setTimeout(() => field.current?.focus())
          }}
        >
          {text ? t`Continue appeal` : t({ message: 'Appeal', context: 'verb' })}
        </Button>
        <Box textStyle="small" color="muted">
          {t`You can appeal once, until ${deadlineDate}.`}
        </Box>
      </Box>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = AppealRequest.safeParse({ text })
    const issue = request.error?.issues[0]
    setError(issue && translateServerText(issue.message))
    if (!request.success) field.current?.focus()
    else if (!isPending) send(request.data)
  }
  return (
    <chakra.form
      noValidate
      onSubmit={submit}
      display="grid"
      gap="3"
      marginTop="4"
      aria-label={t({ message: 'Appeal', context: 'noun' })}
    >
      <NoteField
        ref={field}
        label={t`Why do you disagree?`}
        hint={t`You can only appeal once. A different moderator makes the final decision.`}
        rows={4}
        value={text}
        onChange={(value) => {
          draft.write(value || null)
          setError(undefined)
        }}
        max={max}
        tooLong={t`An appeal can have at most ${maxLength} characters.`}
        error={error}
        readOnly={isPending}
      />
      <ErrorText>{failure}</ErrorText>
      <Box display="flex" gap="2" justifyContent="flex-end">
        <Button
          variant="outline"
          size="sm"
          disabled={isPending}
          onClick={() => {
            setIsOpen(false)
            setError(undefined)
            setTimeout(() => openButton.current?.focus())
          }}
        >
          {text ? t`Later` : t`Cancel`}
        </Button>
        <Button type="submit" variant="ember" size="sm" pending={isPending} pendingLabel={t`Sending…`}>
          {t`Send appeal`}
        </Button>
      </Box>
    </chakra.form>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { AppealRequest, type Decision } from '@contract/moderation.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { clearTextDraft, useTextDraft } from '@/lib/storage'
import { fullTime, longDate } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/UserText'
import { decisionsQuery, useAppeal } from '../api'
import { SafetyList } from './SafetyList'

/** Shows the moderation decisions about the viewer with their reasons, and a form to appeal each. */
export function DecisionsTab() {
  const { user } = useCurrentUser()
  const list = useInfiniteQuery(decisionsQuery)
  const items = list.data?.pages.flatMap((page) => page.items)
  // Deletes drafts of appeals that were received although their response was lost, or that another tab sent.
  useEffect(() => {
    if (!user) return
    for (const { id, appeal } of list.data?.pages.flatMap((page) => page.items) ?? []) {
      if (appeal !== null) clearTextDraft(user.id, appealDraftName(id))
    }
  }, [user, list.data])
  return (
    <SafetyList
      title="Decisions"
      text="What the moderators decided about you or something of yours, and why. You may appeal once against each."
      list={list}
      items={items}
      empty={{
        title: 'Nothing was decided about you',
        text: 'If that changes, it stands here with the reason.',
      }}
      errorText="The decisions did not load."
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
        {decision.appealOutcome === 'overturned' && <Badge tone="success">Taken back</Badge>}
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
      <LabeledText label="Why">{reason}</LabeledText>
      <Appeal decision={decision} />
    </Box>
  )
}

function decisionTitle(decision: Decision): string {
  const subject = decision.kind === 'user' ? 'profile' : decision.kind
  switch (decision.decision) {
    case 'warn':
      return `You were warned about your ${subject}`
    case 'hide':
      return `Your ${subject} was hidden`
    case 'remove':
      return `Your ${subject} was removed`
    case 'suspend':
      return decision.suspendedUntil
        ? `Your account was suspended until ${fullTime(decision.suspendedUntil)}`
        : 'Your account was suspended'
  }
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
        <LabeledText label="Your appeal">{appeal}</LabeledText>
        {appealOutcome ? (
          <LabeledText label={appealOutcome === 'overturned' ? 'Granted' : 'Turned down'}>
            {appealAnswer}
          </LabeledText>
        ) : (
          <Box marginTop="3" textStyle="small" color="muted">
            Another moderator reads it. You are told what they say.
          </Box>
        )}
      </>
    )
  }
  if (mayAppealUntil) return <AppealForm decisionId={decision.id} deadline={mayAppealUntil} />
  return (
    <Box marginTop="3" textStyle="small" color="muted">
      The time to appeal is over.
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
          {text ? 'Continue appeal' : 'Appeal'}
        </Button>
        <Box textStyle="small" color="muted">
          Once, until {longDate(deadline)}
        </Box>
      </Box>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = AppealRequest.safeParse({ text })
    setError(request.error?.issues[0]?.message)
    if (!request.success) field.current?.focus()
    else if (!isPending) send(request.data)
  }
  return (
    <chakra.form noValidate onSubmit={submit} display="grid" gap="3" marginTop="4" aria-label="Appeal">
      <NoteField
        ref={field}
        label="Why do you disagree?"
        hint="You can say this once: another moderator reads it, and answers for good."
        rows={4}
        value={text}
        onChange={(value) => {
          draft.write(value || null)
          setError(undefined)
        }}
        max={max}
        tooLong={`An appeal can have at most ${max} characters.`}
        error={error}
        readOnly={isPending}
      />
      {failure && (
        <Box role="alert" textStyle="small" color="danger.text">
          {failure}
        </Box>
      )}
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
          {text ? 'Later' : 'Cancel'}
        </Button>
        <Button type="submit" variant="ember" size="sm" pending={isPending} pendingLabel="Sending…">
          Send appeal
        </Button>
      </Box>
    </chakra.form>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { AppealRequest } from '@contract/moderation.ts'
import { type FormEvent, useRef, useState } from 'react'
import { longDate } from '@/lib/format'
import { clearTextDraft, useTextDraft } from '@/lib/text-draft'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/NoteField'
import { useAppeal } from '../api'

type Props = { decisionId: string; until: string }

/** Where somebody says, once, why a decision is wrong. What fails, and who leaves the page, loses nothing of it. */
export function AppealForm(props: Props) {
  const { user } = useCurrentUser()
  return user && <OwnAppeal {...props} userId={user.id} />
}

/** Under what name the words are kept until they are sent. */
export const appealDraftName = (decisionId: string) => `draft:appeal:${decisionId}` as const

function OwnAppeal({ decisionId, until, userId }: Props & { userId: string }) {
  const draft = useTextDraft(userId, appealDraftName(decisionId))
  const text = draft.text ?? ''
  const [open, setOpen] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { send, isPending, failure } = useAppeal(decisionId, () =>
    clearTextDraft(userId, appealDraftName(decisionId)),
  )
  const { max } = limits.appeal
  if (!open) {
    return (
      <Box display="flex" flexWrap="wrap" alignItems="center" gap="3" marginTop="4">
        <Button
          ref={opener}
          variant="outline"
          size="sm"
          onClick={() => {
            setOpen(true)
            setTimeout(() => field.current?.focus())
          }}
        >
          {text ? 'Continue appeal' : 'Appeal'}
        </Button>
        <Box textStyle="small" color="muted">
          Once, until {longDate(until)}
        </Box>
      </Box>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = AppealRequest.safeParse({ text })
    setWrong(request.error?.issues[0]?.message)
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
        onChange={(words) => {
          draft.write(words || null)
          setWrong(undefined)
        }}
        max={max}
        tooLong={`An appeal can have at most ${max} characters.`}
        error={wrong}
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
            setOpen(false)
            setWrong(undefined)
            setTimeout(() => opener.current?.focus())
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

import { Box, chakra } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { inlineErrorMessage } from '@/lib/errors'
import { formatCount } from '@/lib/format'
import { Button } from '@/ui/Button'
import { NoteField } from '@/ui/Field'
import { useRestoreFocus } from '@/ui/restore-focus'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { useSaveWelcomeMessage, useWelcomeMessageDraft, welcomeMessageQuery } from '../api/welcome-message'
import { extractPostLink } from '../model/post-link'
import { MessagePreview } from './MessagePreview'

/** Shows the form for the message that a creator's new subscribers get. */
export default function WelcomeMessageForm({ me }: { me: string }) {
  const { data, isError, refetch } = useQuery(welcomeMessageQuery)
  if (data) return <Form me={me} saved={data.content} />
  if (isError)
    return (
      <ErrorState
        message={t`Couldn't load your welcome message. Try again.`}
        onRetry={() => void refetch()}
      />
    )
  return (
    <Loading label={t`Loading your welcome message`}>
      <Skeleton height="8rem" borderRadius="md" />
    </Loading>
  )
}

/** Unsaved changes are kept as a draft, so that they survive when the user opens another page. */
function Form({ me, saved }: { me: string; saved: string }) {
  const draft = useWelcomeMessageDraft(me)
  const save = useSaveWelcomeMessage(me)
  const form = useRef<HTMLFormElement>(null)
  // Text that differs from the saved text only in surrounding whitespace is not a draft.
  const [typed, setTyped] = useState(saved)
  const text = draft.text ?? (typed.trim() === saved.trim() ? typed : saved)
  const content = text.trim()
  const isDirty = content !== saved.trim()
  const isTooLong = countCharacters(content) > limits.messageContent.max
  const maxLength = formatCount(limits.messageContent.max)
  // The buttons disappear once the changes are saved or discarded.
  useRestoreFocus(isDirty, () => form.current)
  const preview = extractPostLink(content)
  const change = (next: string) => {
    setTyped(next)
    draft.write(next.trim() === saved.trim() ? null : next)
    save.reset()
  }
  return (
    <chakra.form
      ref={form}
      tabIndex={-1}
      outline="none"
      display="grid"
      gap="3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty && !isTooLong && !save.isPending) save.mutate(content)
      }}
    >
      <NoteField
        label={t`Message`}
        rows={4}
        placeholder={t`Thanks for subscribing! Tell me what you’d like to see.`}
        value={text}
        onChange={change}
        readOnly={save.isPending}
        max={limits.messageContent.max}
        tooLong={t`Your message can have at most ${maxLength} characters.`}
        error={inlineErrorMessage(save.error, t`Couldn't save your welcome message. Try again.`) ?? undefined}
        hint={
          content !== ''
            ? undefined
            : saved === ''
              ? t`No welcome message yet. Write one to send it to everyone who subscribes from now on.`
              : t`If you leave this empty, new subscribers won’t get a message.`
        }
      />
      {content !== '' && <MessagePreview {...preview} />}
      {isDirty && (
        <Box display="flex" alignItems="center" gap="3">
          <Box flex="1" minWidth="0" textStyle="small" color="muted">
            {t`Unsaved changes`}
          </Box>
          <Button variant="ghost" disabled={save.isPending} onClick={() => change(saved)}>
            {t`Discard`}
          </Button>
          <Button
            variant="ember"
            type="submit"
            disabled={isTooLong}
            pending={save.isPending}
            pendingLabel={t`Saving…`}
          >
            {t`Save`}
          </Button>
        </Box>
      )}
    </chakra.form>
  )
}

import { Box } from '@chakra-ui/react'
import { type AutoDraft, PublishDraftRequest } from '@contract/auto-posting.ts'
import { limits } from '@contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { fullTime, timeAgo, timeUntil } from '@/lib/format'
import { useTextDraft } from '@/lib/text-draft'
import { useNow } from '@/lib/time'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { NoteField } from '@/ui/NoteField'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { useDecideDraft } from '../decide-draft'

const tooLong = `A post can have at most ${limits.postContent.max} characters.`

/** A draft that waits: to be published as it is or changed, or discarded. */
export function DraftCard({
  draft,
  userId,
  onSettled,
}: {
  draft: AutoDraft
  userId: string
  /** It waits no longer. */
  onSettled: () => void
}) {
  /** Its words as they are being changed. */
  const changed = useTextDraft(userId, `draft:auto-post:${draft.id}`)
  const [asking, setAsking] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const editing = changed.text !== null
  const box = useRef<HTMLTextAreaElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const focus = useRef<'box' | 'edit'>(undefined)
  useEffect(() => {
    // What was pressed is gone: the focus goes to what stands in its place.
    if (focus.current) (editing ? box : edit).current?.focus()
    focus.current = undefined
  }, [editing])
  const { publish, discard, publishing, discarding } = useDecideDraft(draft, () => {
    changed.write(null)
    setAsking(false)
    onSettled()
  })
  const send = () => {
    if (changed.text === null) return publish(undefined)
    const form = PublishDraftRequest.safeParse({ content: changed.text })
    setWrong(form.error?.issues[0]?.message)
    if (form.success) publish(form.data.content)
    else box.current?.focus()
  }
  const toggle = () => {
    focus.current = editing ? 'edit' : 'box'
    setWrong(undefined)
    changed.write(editing ? null : draft.content)
  }
  return (
    <Box as="li" padding={{ base: '4', md: '5' }} borderTopWidth="1px">
      {changed.text === null ? (
        <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
          {draft.content}
        </Box>
      ) : (
        <NoteField
          ref={box}
          label="Text of the post"
          rows={5}
          value={changed.text}
          max={limits.postContent.max}
          tooLong={tooLong}
          error={wrong}
          onChange={(text) => {
            setWrong(undefined)
            changed.write(text)
          }}
        />
      )}
      <Box textStyle="small" color="muted" marginTop="3">
        <Until draft={draft} />
      </Box>
      <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
        <Button
          variant="ember"
          size="sm"
          pending={publishing}
          pendingLabel="Publishing…"
          disabled={discarding}
          onClick={send}
        >
          Publish
        </Button>
        <Button ref={edit} variant="outline" size="sm" disabled={publishing || discarding} onClick={toggle}>
          {editing ? 'Undo changes' : 'Edit'}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          color="danger.text"
          disabled={publishing}
          onClick={() => setAsking(true)}
        >
          Discard
        </Button>
      </Box>
      <ConfirmDialog
        open={asking}
        onClose={() => !discarding && setAsking(false)}
        onConfirm={discard}
        pending={discarding}
        title="Discard this draft?"
        text="It is not published. This cannot be taken back."
        confirmLabel="Discard draft"
      />
    </Box>
  )
}

function Until({ draft: { createdAt, expiresAt } }: { draft: AutoDraft }) {
  const now = useNow()
  return (
    <>
      Written{' '}
      <time dateTime={createdAt} title={fullTime(createdAt)}>
        {timeAgo(createdAt, now)}
      </time>{' '}
      · expires{' '}
      <time dateTime={expiresAt} title={fullTime(expiresAt)}>
        {timeUntil(expiresAt, now)}
      </time>
    </>
  )
}

import { chakra } from '@chakra-ui/react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { VisuallyHidden } from '@/ui/layout'
import { useDiscardConfirmation } from '@/ui/useDiscardConfirmation'
import type { ChosenFile } from '../chosen-file'
import { createPostRequest, emptyPostDraft, useCreatePostAs } from '../create-post'
import { firstFieldErrors } from '../model'
import { PostFields } from './PostFields'
import type { UserDialogProps } from './UserDialogs'

/** Writes a post in a creator's name. What is written is asked about before it goes. */
export function CreatePostDialog({ person, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(emptyPostDraft)
  const [chosen, setChosen] = useState<ChosenFile>()
  useEffect(() => chosen && (() => URL.revokeObjectURL(chosen.previewUrl)), [chosen])
  const [isChecked, setChecked] = useState(false)
  const { create, stop, percent, isPending } = useCreatePostAs(person, onClose)
  const isWritten = draft.content.trim() !== '' || chosen !== undefined
  const guard = useLeaveGuard(open && isWritten)
  const problems = isChecked ? firstFieldErrors(createPostRequest(person.id, draft).error) : {}
  // An upload ends where the page is left.
  const busy = isPending && percent === null
  const discard = useDiscardConfirmation({ open, typed: isWritten, busy, onClose, finalFocus, guard })
  const close = percent === null ? discard.close : stop
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    const { data } = createPostRequest(person.id, draft)
    if (data) {
      create(data, chosen)
      return
    }
    flushSync(() => setChecked(true))
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => form.current?.querySelector('textarea') ?? null}
        title="Create New Post"
        description={
          <>
            It is published in the name of <bdi>{displayName(person)}</bdi> (@{person.username}), who is told
            so.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={busy}>
              {percent === null ? 'Cancel' : 'Stop the upload'}
            </Button>
            <Button
              variant="ember"
              type="submit"
              form={id}
              pending={isPending}
              pendingLabel={percent === null ? 'Creating…' : `Uploading ${percent}%`}
            >
              Create Post
            </Button>
          </>
        }
      >
        <chakra.form ref={form} id={id} noValidate display="grid" gap="5" paddingBlock="2" onSubmit={submit}>
          <PostFields
            draft={draft}
            onChange={(fields) => setDraft((before) => ({ ...before, ...fields }))}
            chosen={chosen}
            onChoose={setChosen}
            problems={problems}
            disabled={isPending}
          />
          <VisuallyHidden role="status">
            {isPending && (percent === null ? 'Creating the post.' : 'Uploading.')}
          </VisuallyHidden>
        </chakra.form>
      </Dialog>
      <DiscardDialog
        question={discard.question}
        title="Discard this post?"
        text="It was not published, and is not kept."
      />
    </>
  )
}

import type { ChatMessage } from '@contract/message.ts'
import { isBlank } from '@contract/text.ts'
import { t } from '@lingui/core/macro'
import { skipToken, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CheckIcon } from '@/ui/icons'
import { messageKeys } from '../api/keys'
import { useEditMessage } from '../api/message-actions'
import { threadQuery } from '../api/thread'
import { abandonEdit, type MessageEdit, resetComposer, updateEdit, useComposerState } from '../composer-state'
import { applyOptimisticEdit, useOptimisticEdits } from '../model/optimistic-edits'
import { contentPreview } from '../model/post-link'
import { type ChangeLog, type ThreadWindow, withLoggedChanges } from '../model/thread'
import { ComposerContextBar, MessageComposer, remainingCharacters } from './MessageComposer'
import { NewMessageComposer } from './NewMessageComposer'

/** The composer of the open thread: for a new message, a reply or an edit. */
export function ThreadComposer({
  me,
  receiverId,
  name,
  onTyping,
}: {
  me: string
  receiverId: string
  /** The other user's name. */
  name: string
  onTyping: (typing: boolean) => void
}) {
  const state = useComposerState(receiverId)
  const message = useLatestMessage(me, receiverId, state.kind === 'write' ? null : state.message)
  const [hasEdited, setHasEdited] = useState(false)
  if (state.kind === 'edit' && !hasEdited) setHasEdited(true)
  if (state.kind === 'edit') {
    return (
      <EditMessageComposer
        key={state.message.id}
        me={me}
        receiverId={receiverId}
        edit={state}
        deleted={message?.deleted ?? false}
      />
    )
  }
  return (
    <NewMessageComposer
      me={me}
      receiverId={receiverId}
      name={name}
      replyTo={state.kind === 'reply' ? message : null}
      focusOnMount={hasEdited}
      onTyping={onTyping}
    />
  )
}

/** Edits one of the user's messages. Meanwhile, the draft of a new message is kept. */
function EditMessageComposer({
  me,
  receiverId,
  edit: { message, text, editId },
  deleted,
}: {
  me: string
  receiverId: string
  edit: MessageEdit
  /** True if the message was deleted during the edit, in another tab. */
  deleted: boolean
}) {
  const textareaRef = useRef<HTMLTextAreaElement>(null)
  const editMessage = useEditMessage(me, receiverId)
  const content = text.trim()

  useEffect(() => {
    const element = textareaRef.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])

  useEffect(() => {
    if (deleted) abandonEdit(me, receiverId, message.id, t`This message was deleted.`)
  }, [deleted, me, receiverId, message.id])

  const cancel = () => resetComposer(receiverId)
  const save = () => {
    if (content === message.content) cancel()
    else editMessage.mutate({ message, content, editId })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    cancel()
  }
  const hasContent = !isBlank(text) || message.imageUrl !== null
  return (
    <MessageComposer
      textareaRef={textareaRef}
      text={text}
      onTextChange={(next) => updateEdit(receiverId, next)}
      label={t`Edit message`}
      sendLabel={t`Save`}
      sendIcon={<CheckIcon />}
      canSubmit={hasContent && remainingCharacters(text) >= 0 && !editMessage.isPending}
      onSubmit={save}
      onKeyDown={onKeyDown}
      header={
        <ComposerContextBar
          title={t`Editing message`}
          excerpt={contentPreview(message.content) || t`Photo`}
          cancelLabel={t`Cancel editing`}
          onCancel={cancel}
        />
      }
    />
  )
}

/**
 * Returns the latest version of the message that the composer replies to or edits, with the user's optimistic changes:
 * from the thread or the window or, if neither contains it any more, from the change log.
 */
function useLatestMessage(me: string, otherUserId: string, message: ChatMessage | null): ChatMessage | null {
  const id = message?.id
  const hasId = (candidate: ChatMessage) => candidate.id === id
  const { data: threadMessage } = useQuery({
    ...threadQuery(otherUserId),
    enabled: false,
    select: (thread) => thread.find(hasId) ?? null,
  })
  const { data: window } = useQuery<ThreadWindow | null>({
    queryKey: messageKeys.window(otherUserId),
    queryFn: skipToken,
  })
  const { data: changeLog } = useQuery<ChangeLog>({
    queryKey: messageKeys.changeLog(otherUserId),
    queryFn: skipToken,
  })
  const edit = useOptimisticEdits((edits) => (id ? edits[id] : undefined))
  if (!message) return null
  const cached = threadMessage ?? window?.messages.find(hasId) ?? message
  return applyOptimisticEdit(withLoggedChanges(changeLog, [cached])[0] ?? cached, edit, me)
}

import { isBlank } from '@contract/text.ts'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { CheckIcon } from '@/ui/icons'
import { abandonEdit } from '../abandon-edit'
import { useEditMessage } from '../api/message-actions'
import { type MessageEdit, resetComposer, updateEdit } from '../composer-state'
import { ComposerContextBar } from './ComposerContextBar'
import { MessageComposer, remainingCharacters } from './MessageComposerBox'

/** Changes one's own message. What was being written before is there again afterwards. */
export function EditMessageComposer({
  me,
  receiverId,
  edit: { message, text, turn },
  deleted,
}: {
  me: string
  receiverId: string
  edit: MessageEdit
  /** It was taken back meanwhile, on another page. */
  deleted: boolean
}) {
  const box = useRef<HTMLTextAreaElement>(null)
  const change = useEditMessage(me, receiverId)
  const content = text.trim()

  useEffect(() => {
    const element = box.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])

  useEffect(() => {
    if (deleted) abandonEdit(me, receiverId, message.id, 'This message was deleted.')
  }, [deleted, me, receiverId, message.id])

  const leave = () => resetComposer(receiverId)
  const save = () => {
    if (content === message.content) leave()
    else change.mutate({ message, content, turn })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    leave()
  }
  const hasContent = !isBlank(text) || message.imageUrl !== null
  return (
    <MessageComposer
      box={box}
      text={text}
      onText={(next) => updateEdit(receiverId, next)}
      label="Edit message"
      sendLabel="Save"
      sendIcon={<CheckIcon />}
      ready={hasContent && remainingCharacters(text) >= 0 && !change.isPending}
      onSubmit={save}
      onKeyDown={onKeyDown}
      above={
        <ComposerContextBar
          title="Editing message"
          excerpt={message.content || 'Photo'}
          cancelLabel="Cancel editing"
          onCancel={leave}
        />
      }
    />
  )
}

import { isBlank } from '@contract/text.ts'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { CheckIcon } from '@/ui/icons'
import { useEditMessage } from '../api/edit'
import { giveUpEdit } from '../compose/giveUpEdit'
import { type Edit, keepEdit, resetComposing } from '../composing'
import { ComposingBar } from './ComposingBar'
import { charactersLeft, MessageBox } from './MessageBox'

/** Changes one's own message. What was being written before is there again afterwards. */
export function EditComposer({
  me,
  receiverId,
  edit: { message, text, turn },
  deleted,
}: {
  me: string
  receiverId: string
  edit: Edit
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
    if (deleted) giveUpEdit(me, receiverId, message.id, 'This message was deleted.')
  }, [deleted, me, receiverId, message.id])

  const leave = () => resetComposing(receiverId)
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
    <MessageBox
      box={box}
      text={text}
      onText={(next) => keepEdit(receiverId, next)}
      label="Edit message"
      sendLabel="Save"
      sendIcon={<CheckIcon />}
      ready={hasContent && charactersLeft(text) >= 0 && !change.isPending}
      onSubmit={save}
      onKeyDown={onKeyDown}
      above={
        <ComposingBar
          title="Editing message"
          excerpt={message.content || 'Photo'}
          cancelLabel="Cancel editing"
          onCancel={leave}
        />
      }
    />
  )
}

import type { ChatMessage } from '@contract/message.ts'
import { isBlank } from '@contract/text.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CheckIcon } from '@/ui/icons'
import { useEditMessage } from '../api/edit'
import { resetComposing } from '../composing'
import { ComposingBar } from './ComposingBar'
import { charactersLeft, MessageBox } from './MessageBox'

/** Changes one's own message. What was being written before is there again afterwards. */
export function EditComposer({ message, receiverId }: { message: ChatMessage; receiverId: string }) {
  const [text, setText] = useState(message.content)
  const box = useRef<HTMLTextAreaElement>(null)
  const edit = useEditMessage(receiverId)
  const content = text.trim()

  useEffect(() => {
    const element = box.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])

  const leave = () => resetComposing(receiverId)
  const save = () => {
    if (content === message.content) leave()
    else edit.mutate({ id: message.id, content }, { onSuccess: leave })
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
      onText={setText}
      label="Edit message"
      sendLabel="Save"
      sendIcon={<CheckIcon />}
      ready={hasContent && charactersLeft(text) >= 0 && !edit.isPending}
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

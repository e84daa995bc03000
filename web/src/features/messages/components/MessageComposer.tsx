import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { userStorage } from '@/lib/userStorage'
import { Textarea } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { SendIcon } from '@/ui/icons'
import { currentOutbox } from '../outbox/useOutbox'

/** Writes to one person. Enter sends, Shift+Enter starts a line; what is not sent is kept as a draft. */
export function MessageComposer({
  me,
  receiverId,
  onTyping,
}: {
  me: string
  receiverId: string
  onTyping: (typing: boolean) => void
}) {
  const draft = `draft:message:${receiverId}`
  const [text, setText] = useState(() => userStorage(me).get(draft) ?? '')
  const box = useRef<HTMLTextAreaElement>(null)
  const empty = text.trim() === ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what is written
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight + 2, 160)}px`
  }, [text])

  useEffect(() => () => onTyping(false), [onTyping])

  const change = (next: string) => {
    setText(next)
    if (next) userStorage(me).set(draft, next)
    else userStorage(me).remove(draft)
    onTyping(next.trim() !== '')
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    const outbox = currentOutbox()
    if (empty || !outbox) return
    outbox.add(receiverId, { content: text.trim(), replyTo: null, image: null })
    change('')
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <Box asChild display="flex" alignItems="flex-end" gap="2" padding="3" borderTopWidth="1px">
      <form onSubmit={submit}>
        <Textarea
          ref={box}
          dir="auto"
          rows={1}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          maxLength={limits.messageContent.max}
          placeholder="Type a message..."
          aria-label="Type a message"
          enterKeyHint="send"
          minHeight="target"
          paddingBlock="2.5"
          resize="none"
          borderRadius="lg"
          lineHeight="normal"
        />
        <IconButton type="submit" variant="ember" label="Send" tooltip={false} disabled={empty}>
          <SendIcon />
        </IconButton>
      </form>
    </Box>
  )
}

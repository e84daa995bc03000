import { chakra } from '@chakra-ui/react'
import type { ChatMessage } from '@contract/message.ts'
import { isBlank } from '@contract/text.ts'
import { type ClipboardEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { DropOverlay } from '@/ui/FileDrop'
import { IconButton } from '@/ui/IconButton'
import { ImageIcon } from '@/ui/icons'
import { chooseImage, removeChosenImage, useChosenImage } from '../chosen-image'
import { resetComposer } from '../composer-state'
import { startEditingLastMessage } from '../editable'
import { useMessageDraft } from '../message-draft'
import { toQuote } from '../model/thread'
import { currentOutbox } from '../outbox/useOutbox'
import { ComposerContextBar } from './ComposerContextBar'
import { ImagePreview } from './ImagePreview'
import { MessageComposer, remainingCharacters } from './MessageComposerBox'
import { usePageFileDrop } from './usePageFileDrop'

/** Writes a new message, with a picture if wanted. What is not sent is kept as a draft. */
export function NewMessageComposer({
  me,
  receiverId,
  name,
  replyTo,
  focused,
  onTyping,
}: {
  me: string
  receiverId: string
  name: string
  /** The message that is answered. */
  replyTo: ChatMessage | null
  /** The box takes the focus: it comes back after a message was changed. */
  focused: boolean
  onTyping: (typing: boolean) => void
}) {
  const [text, write] = useMessageDraft(me, receiverId)
  const picture = useChosenImage(receiverId)
  const box = useRef<HTMLTextAreaElement>(null)
  const take = useCallback((file: File) => void chooseImage(receiverId, file), [receiverId])
  const dragging = usePageFileDrop((file) => {
    take(file)
    // Words and Enter come next; a mouse let it go, so no keyboard of a phone comes up.
    box.current?.focus()
  })
  const ready = picture ? picture.image !== null : !isBlank(text)

  useEffect(() => () => onTyping(false), [onTyping])

  const replyToId = replyTo?.id
  useEffect(() => {
    if (replyToId || focused) box.current?.focus()
  }, [replyToId, focused])

  const change = (next: string) => {
    write(next)
    onTyping(next.trim() !== '')
  }
  const submit = () => {
    const outbox = currentOutbox()
    if (!outbox) return
    const content = isBlank(text) ? '' : text.trim()
    outbox.add(receiverId, {
      content,
      replyTo: replyTo && toQuote(replyTo),
      image: picture?.image ?? null,
    })
    change('')
    removeChosenImage(receiverId)
    resetComposer(receiverId)
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyTo) {
      event.preventDefault()
      resetComposer(receiverId)
    }
    if (
      event.key === 'ArrowUp' &&
      text === '' &&
      !replyTo &&
      !picture &&
      startEditingLastMessage(me, receiverId)
    ) {
      event.preventDefault()
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find((one) => one.type.startsWith('image/'))
    if (!file) return
    event.preventDefault()
    take(file)
  }
  return (
    <MessageComposer
      box={box}
      text={text}
      onText={change}
      label="Type a message"
      sendLabel="Send"
      ready={ready && remainingCharacters(text) >= 0}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      leading={<PictureButton onFile={take} />}
      above={
        <>
          {replyTo && (
            <ComposerContextBar
              title={
                <>
                  Replying to <bdi>{replyTo.senderId === me ? 'yourself' : name}</bdi>
                </>
              }
              excerpt={replyTo.content || (replyTo.deleted ? 'Message deleted' : 'Photo')}
              cancelLabel="Cancel reply"
              onCancel={() => resetComposer(receiverId)}
            />
          )}
          {picture && (
            <ImagePreview
              picture={picture}
              onRemove={() => {
                removeChosenImage(receiverId)
                box.current?.focus()
              }}
            />
          )}
        </>
      }
      over={dragging && <DropOverlay>Drop a picture here</DropOverlay>}
    />
  )
}

const HiddenInput = chakra('input', { base: { display: 'none' } })

function PictureButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <HiddenInput
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/gif"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file can be chosen again after it was removed.
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <IconButton label="Add a picture" onClick={() => input.current?.click()}>
        <ImageIcon />
      </IconButton>
    </>
  )
}

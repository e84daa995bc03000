import { chakra } from '@chakra-ui/react'
import type { ChatMessage } from '@contract/message.ts'
import { isBlank } from '@contract/text.ts'
import { type ClipboardEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { DropMark } from '@/ui/DropMark'
import { IconButton } from '@/ui/IconButton'
import { ImageIcon } from '@/ui/icons'
import { useMessageDraft } from '../compose/draft'
import { choosePicture, removePicture, useChosenPicture } from '../compose/picture'
import { useDroppedFile } from '../compose/useDroppedFile'
import { resetComposing } from '../composing'
import { editLast } from '../editable'
import { currentOutbox } from '../outbox/useOutbox'
import { quoteOf } from '../realtime/thread'
import { ComposingBar } from './ComposingBar'
import { charactersLeft, MessageBox } from './MessageBox'
import { PicturePreview } from './PicturePreview'

/** Writes a new message, with a picture if wanted. What is not sent is kept as a draft. */
export function WriteComposer({
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
  const picture = useChosenPicture(receiverId)
  const box = useRef<HTMLTextAreaElement>(null)
  const take = useCallback((file: File) => void choosePicture(receiverId, file), [receiverId])
  const dragging = useDroppedFile((file) => {
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
      replyTo: replyTo && quoteOf(replyTo),
      image: picture?.image ?? null,
    })
    change('')
    removePicture(receiverId)
    resetComposing(receiverId)
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyTo) {
      event.preventDefault()
      resetComposing(receiverId)
    }
    if (event.key === 'ArrowUp' && text === '' && !replyTo && !picture && editLast(me, receiverId)) {
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
    <MessageBox
      box={box}
      text={text}
      onText={change}
      label="Type a message"
      sendLabel="Send"
      ready={ready && charactersLeft(text) >= 0}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      leading={<PictureButton onFile={take} />}
      above={
        <>
          {replyTo && (
            <ComposingBar
              title={
                <>
                  Replying to <bdi>{replyTo.senderId === me ? 'yourself' : name}</bdi>
                </>
              }
              excerpt={replyTo.content || (replyTo.deleted ? 'Message deleted' : 'Photo')}
              cancelLabel="Cancel reply"
              onCancel={() => resetComposing(receiverId)}
            />
          )}
          {picture && (
            <PicturePreview
              picture={picture}
              onRemove={() => {
                removePicture(receiverId)
                box.current?.focus()
              }}
            />
          )}
        </>
      }
      over={dragging && <DropMark>Drop a picture here</DropMark>}
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

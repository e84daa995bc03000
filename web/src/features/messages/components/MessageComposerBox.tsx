import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
} from 'react'
import { Textarea } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { SendIcon } from '@/ui/icons'
import { useAutoHeight } from '@/ui/useAutoHeight'

const { max } = limits.messageContent
/** How many characters are left when it begins to say so. */
const nearEnd = 500

/** Characters that still fit into a message; below zero when there are too many. Space around it does not count. */
export function remainingCharacters(text: string): number {
  return max - text.trim().length
}

/** The box below a thread, for a new message or the change of one. Enter sends, Shift+Enter starts a line. */
export function MessageComposer({
  box,
  text,
  onText,
  label,
  sendLabel,
  sendIcon = <SendIcon />,
  ready,
  onSubmit,
  onKeyDown,
  onPaste,
  above,
  leading,
  over,
}: {
  box: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  label: string
  sendLabel: string
  sendIcon?: ReactNode
  /** Something can be sent. */
  ready: boolean
  onSubmit: () => void
  /** Sees each key first; one that it takes for itself is prevented. */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent) => void
  above?: ReactNode
  leading?: ReactNode
  /** Lies over the whole box. */
  over?: ReactNode
}) {
  const id = useId()
  useAutoHeight(box, text)
  const left = remainingCharacters(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) onSubmit()
  }
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    onKeyDown?.(event)
    if (event.defaultPrevented || event.key !== 'Enter' || event.shiftKey) return
    submit(event)
  }
  return (
    <Box asChild position="relative" borderTopWidth="1px">
      <form onSubmit={submit}>
        {above}
        <Box display="flex" alignItems="flex-end" gap="2" padding="3">
          {leading}
          <Box flex="1" minWidth="0">
            <Textarea
              ref={box}
              data-message-box
              dir="auto"
              rows={1}
              value={text}
              onChange={(event) => onText(event.target.value)}
              onKeyDown={keyDown}
              onPaste={onPaste}
              placeholder="Type a message..."
              aria-label={label}
              aria-invalid={left < 0 || undefined}
              aria-describedby={`${id}-left`}
              enterKeyHint="send"
              minHeight="target"
              maxHeight="10rem"
              paddingBlock="2.5"
              resize="none"
              borderRadius="lg"
              lineHeight="normal"
            />
          </Box>
          <IconButton type="submit" variant="ember" label={sendLabel} tooltip={false} disabled={!ready}>
            {sendIcon}
          </IconButton>
        </Box>
        <Box
          id={`${id}-left`}
          role="status"
          textStyle="caption"
          textAlign="end"
          paddingInline="4"
          paddingBottom={left <= nearEnd ? '2' : undefined}
          marginTop={left <= nearEnd ? '-1' : undefined}
          fontVariantNumeric="tabular-nums"
          color={left < 0 ? 'danger.text' : 'muted'}
        >
          {left <= nearEnd && (left < 0 ? `${-left} too many` : `${left} left`)}
        </Box>
        {over}
      </form>
    </Box>
  )
}

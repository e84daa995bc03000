import { Box } from '@chakra-ui/react'
import { countCharacters, limits } from '@contract/limits.ts'
import { plural, t } from '@lingui/core/macro'
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
import { CloseIcon, SendIcon } from '@/ui/icons'
import { userTextLine } from '@/ui/UserText'
import { useAutoHeight } from '@/ui/useAutoHeight'

const { max } = limits.messageContent
/** The composer shows the number of remaining characters if there are at most this many. */
const counterThreshold = 500

/** Returns how many more characters a message may have; negative if it is too long. Ignores surrounding whitespace. */
export function remainingCharacters(text: string): number {
  return max - countCharacters(text.trim())
}

/** The text box for a new message or an edit. Enter submits, and Shift+Enter inserts a line break. */
export function MessageComposer({
  textareaRef,
  text,
  content = text,
  onTextChange,
  label,
  sendLabel,
  sendIcon = <SendIcon />,
  canSubmit,
  onSubmit,
  onKeyDown,
  onPaste,
  header,
  leading,
  trailing,
  action,
  recorder,
  overlay,
}: {
  textareaRef: RefObject<HTMLTextAreaElement | null>
  text: string
  /** The content to send, if it is not just `text`. */
  content?: string
  onTextChange: (text: string) => void
  label: string
  sendLabel: string
  sendIcon?: ReactNode
  canSubmit: boolean
  onSubmit: () => void
  /** Called before the composer handles a key; `preventDefault` stops the composer from handling it. */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent) => void
  /** Displayed above the text box. */
  header?: ReactNode
  /** Displayed before the text box. */
  leading?: ReactNode
  /** Buttons at the end of the text box and inside it. While the box contains text, there is room for only one. */
  trailing?: ReactNode
  /** Displayed instead of the button that sends the message. */
  action?: ReactNode
  /** Displayed instead of the text box and the buttons beside it. */
  recorder?: ReactNode
  /** Covers the whole composer. */
  overlay?: ReactNode
}) {
  const id = useId()
  useAutoHeight(textareaRef, text)
  const remaining = remainingCharacters(content)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canSubmit) onSubmit()
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    onKeyDown?.(event)
    if (event.defaultPrevented || event.key !== 'Enter' || event.shiftKey) return
    submit(event)
  }
  return (
    <Box asChild position="relative" borderTopWidth="1px">
      <form onSubmit={submit}>
        {header}
        {recorder || (
          <Box
            display="flex"
            alignItems="flex-end"
            gap="2"
            paddingInlineStart="4"
            paddingInlineEnd={{ base: '2', md: '4' }}
            paddingBlock="3"
          >
            {leading}
            <Box flex="1" minWidth="0" position="relative">
              <Textarea
                ref={textareaRef}
                data-message-box
                dir="auto"
                rows={1}
                value={text}
                onChange={(event) => onTextChange(event.target.value)}
                onKeyDown={handleKeyDown}
                onPaste={onPaste}
                placeholder={t`Type a message...`}
                aria-label={label}
                aria-invalid={remaining < 0 || undefined}
                aria-describedby={`${id}-left`}
                enterKeyHint="send"
                minHeight="target"
                maxHeight="10rem"
                paddingBlock="2.5"
                // Not `paddingInlineEnd`: the direction of the text can differ from that of the page.
                {...(trailing && { paddingRight: '11', _rtl: { paddingRight: '3.5', paddingLeft: '11' } })}
                resize="none"
                borderRadius="lg"
                lineHeight="normal"
              />
              {trailing && (
                <Box position="absolute" insetInlineEnd="0" bottom="0">
                  {trailing}
                </Box>
              )}
            </Box>
            {action || (
              <IconButton
                type="submit"
                variant="ember"
                label={sendLabel}
                tooltip={false}
                disabled={!canSubmit}
                _disabled={{ bg: 'fill', color: 'muted', opacity: 1 }}
              >
                {sendIcon}
              </IconButton>
            )}
          </Box>
        )}
        <Box
          id={`${id}-left`}
          role="status"
          textStyle="caption"
          textAlign="end"
          paddingInline="4"
          paddingBottom={remaining <= counterThreshold ? '2' : undefined}
          marginTop={remaining <= counterThreshold ? '-1' : undefined}
          fontVariantNumeric="tabular-nums"
          color={remaining < 0 ? 'danger.text' : 'muted'}
        >
          {remaining <= counterThreshold && remainingText(remaining)}
        </Box>
        {overlay}
      </form>
    </Box>
  )
}

function remainingText(remaining: number): string {
  const excess = -remaining
  return remaining < 0
    ? t`${plural(excess, { one: '# character too many', other: '# characters too many' })}`
    : t`${plural(remaining, { one: '# character left', other: '# characters left' })}`
}

/** Shows above the text box which message the user is replying to or editing, with a button to cancel. */
export function ComposerContextBar({
  title,
  excerpt,
  cancelLabel,
  onCancel,
}: {
  title: ReactNode
  excerpt: string
  cancelLabel: string
  onCancel: () => void
}) {
  return (
    <Box display="flex" alignItems="center" gap="2" paddingInlineStart="3" paddingTop="2">
      <Box
        flex="1"
        minWidth="0"
        borderInlineStartWidth="3px"
        borderColor="ember.ring"
        paddingInlineStart="3"
        textStyle="small"
      >
        <Box truncate fontWeight="semibold" color="ember.text">
          {title}
        </Box>
        <Box truncate color="muted" {...userTextLine}>
          {excerpt}
        </Box>
      </Box>
      <IconButton label={cancelLabel} tooltip={false} onClick={onCancel}>
        <CloseIcon />
      </IconButton>
    </Box>
  )
}

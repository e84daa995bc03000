import { Box, Menu as Parts, Portal } from '@chakra-ui/react'
import { type ReactionEmoji, reactionEmojis } from '@contract/message.ts'
import { type KeyboardEvent, useRef, useState } from 'react'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { CopyIcon, PencilIcon, ReplyIcon, TrashIcon } from '@/ui/icons'
import { MenuItem } from '@/ui/Menu'
import { toast } from '@/ui/toaster'
import { startEdit, startReply } from '../composer-state'
import { isEditable } from '../editable'
import { hasReacted } from '../model/apply-optimistic-edit'
import type { Bubble } from '../model/bubbles'
import { emojiNames } from './emoji-names'
import { connectedOrFallback } from './message-focus'
import { useThreadActions } from './thread-actions'

/**
 * The menu of one message, beside the element that asked for it: the eight reactions in a row, and what else can be
 * done. Mounted while it is open.
 */
export function MessageMenu({
  bubble,
  beside,
  otherUserId,
  canMessage,
  onClose,
  onDelete,
}: {
  bubble: Bubble
  beside: HTMLElement
  otherUserId: string
  /** Where nothing may be written, a message can still be copied and taken back. */
  canMessage: boolean
  onClose: () => void
  onDelete: () => void
}) {
  const { me, name, react } = useThreadActions()
  const [highlighted, setHighlighted] = useState<string | null>(null)
  // Answering and changing go on in the box below, which takes the focus itself.
  const goesOn = useRef(false)
  const message = bubble.message
  const own = bubble.senderId === me
  if (!message) return null

  const compose = (kind: 'reply' | 'edit') => {
    goesOn.current = true
    if (kind === 'reply') startReply(otherUserId, message)
    else startEdit(otherUserId, message)
  }
  const close = () => {
    onClose()
    if (!goesOn.current) connectedOrFallback(beside, bubble.id)?.focus({ preventScroll: true })
  }
  const choose = (emoji: ReactionEmoji) => react(bubble, emoji)
  /** In the row the arrows go sideways; downwards leads out of it. */
  const onKeyDown = (event: KeyboardEvent) => {
    const next = canMessage ? nextInRow(event.key, highlighted) : undefined
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setHighlighted(next)
  }
  return (
    <Parts.Root
      open
      onOpenChange={({ open }) => !open && close()}
      highlightedValue={highlighted}
      onHighlightChange={({ highlightedValue }) => setHighlighted(highlightedValue)}
      onPointerDownOutside={(event) => {
        // The press on what opened it closes it by itself.
        if (event.target instanceof Node && beside.contains(event.target)) event.preventDefault()
      }}
      positioning={{
        placement: own ? 'bottom-end' : 'bottom-start',
        gutter: 4,
        getAnchorElement: () => beside,
      }}
    >
      <Portal>
        <Parts.Positioner asChild>
          <section aria-label="Message menu">
            <Parts.Content aria-label="Message" onKeyDownCapture={onKeyDown}>
              {canMessage && (
                <Box role="group" aria-label="React" display="grid" gridTemplateColumns="repeat(8, 1fr)">
                  {reactionEmojis.map((emoji) => (
                    <Parts.CheckboxItem
                      key={emoji}
                      value={emoji}
                      checked={hasReacted(message, me, emoji)}
                      onCheckedChange={() => choose(emoji)}
                      closeOnSelect
                      aria-label={emojiNames[emoji]}
                      title={emojiNames[emoji]}
                      justifyContent="center"
                      paddingInline="0"
                      minWidth="9"
                      minHeight={{ base: 'target', md: '9' }}
                      fontSize="xl"
                      _checked={{ bg: 'ember.wash', boxShadow: 'inset 0 0 0 1px {colors.ember.ring}' }}
                    >
                      <span aria-hidden>{emoji}</span>
                    </Parts.CheckboxItem>
                  ))}
                </Box>
              )}
              {canMessage && <Parts.Separator />}
              {canMessage && (
                <MenuItem value="reply" onSelect={() => compose('reply')}>
                  <ReplyIcon /> Reply
                </MenuItem>
              )}
              {message.content !== '' && (
                <MenuItem value="copy" onSelect={() => void copy(message.content)}>
                  <CopyIcon /> Copy
                </MenuItem>
              )}
              {canMessage && isEditable(message, me) && (
                <MenuItem value="edit" onSelect={() => compose('edit')}>
                  <PencilIcon /> Edit
                </MenuItem>
              )}
              {!own && (
                <ReportMenuItems
                  subject={{
                    kind: 'message',
                    id: bubble.id,
                    person: { id: otherUserId, name },
                    finalFocus: () => connectedOrFallback(beside, bubble.id),
                  }}
                />
              )}
              {own && (
                <MenuItem value="delete" danger onSelect={onDelete}>
                  <TrashIcon /> Delete
                </MenuItem>
              )}
            </Parts.Content>
          </section>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** Where a key leads within the row of reactions; undefined for what the menu itself knows. */
function nextInRow(key: string, highlighted: string | null): string | undefined {
  const row: readonly string[] = reactionEmojis
  const at = highlighted === null ? -1 : row.indexOf(highlighted)
  if (at < 0) return highlighted === null && key === 'ArrowRight' ? row[0] : undefined
  if (key === 'ArrowRight') return row[(at + 1) % row.length]
  if (key === 'ArrowLeft') return row.at(at - 1)
  if (key === 'ArrowDown') return 'reply'
  return undefined
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Message copied' })
  } catch {
    toast({ title: 'Message not copied', description: 'This browser did not allow it.', tone: 'destructive' })
  }
}

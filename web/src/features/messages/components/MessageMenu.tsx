import { Box, Menu as Parts, Portal } from '@chakra-ui/react'
import { type ReactionEmoji, reactionEmojis } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { copyText } from '@/ui/copy-text'
import { ConfirmDialog } from '@/ui/Dialog'
import { Emoji } from '@/ui/emoji/Emoji'
import { CopyIcon, PencilIcon, ReplyIcon, TrashIcon } from '@/ui/icons'
import { Lightbox, type LightboxItem } from '@/ui/Lightbox'
import { MenuItem } from '@/ui/Menu'
import { useDeleteMessage, useToggleReaction } from '../api/message-actions'
import { endReplyOrEdit, isEditable, startEdit, startReply } from '../composer-state'
import type { Bubble } from '../model/bubbles'
import { hasReacted } from '../model/optimistic-edits'
import { emojiNames } from './ReactionChips'
import {
  connectedOrFallback,
  type EnlargedImage,
  fallbackFocusTarget,
  type ThreadActions,
  ThreadActionsProvider,
  useThreadActions,
} from './thread-actions'

/** The reaction that a double tap adds. */
const heart: ReactionEmoji = '❤️'

/** Provides the thread's actions to the messages, with one menu, confirmation dialog and lightbox for all of them. */
export function MessageActionsProvider({
  me,
  otherUserId,
  name,
  canMessage,
  bubbles,
  onGoToMessage,
  children,
}: {
  me: string
  otherUserId: string
  name: string
  canMessage: boolean
  /** The displayed bubbles of the thread. */
  bubbles: Bubble[]
  onGoToMessage: (messageId: string) => void
  children: ReactNode
}) {
  const [menu, setMenu] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  // The dialog (`open: false`) and the lightbox (`shownId: null`) stay mounted during their closing animations.
  const [deletion, setDeletion] = useState<{ id: string; anchor: HTMLElement; open: boolean } | null>(null)
  const [image, setImage] = useState<
    (EnlargedImage & { opener: HTMLElement; shownId: string | null }) | null
  >(null)
  const menuBubble = menu && bubbles.find((bubble) => bubble.id === menu.id)
  const isMenuMessageGone = menu !== null && (!menuBubble || menuBubble.deleted)
  const { mutate: deleteMessage } = useDeleteMessage(otherUserId)
  const { mutate: toggleReaction } = useToggleReaction(me, otherUserId)
  const latest = useRef({ onGoToMessage, canMessage })
  useEffect(() => {
    latest.current = { onGoToMessage, canMessage }
  })
  const actions = useMemo<ThreadActions>(
    () => ({
      me,
      name,
      toggleMenu: (id, anchor) => setMenu((current) => (current?.id === id ? null : { id, anchor })),
      openImage: (enlarged, opener) => setImage({ ...enlarged, opener, shownId: enlarged.messageId }),
      react: (bubble, emoji) => {
        if (bubble.message) toggleReaction({ message: bubble.message, emoji })
      },
      addHeart: (bubble) => {
        if (!bubble.message || !latest.current.canMessage || hasReacted(bubble, me, heart)) return
        toggleReaction({ message: bubble.message, emoji: heart })
      },
      goToMessage: (messageId) => latest.current.onGoToMessage(messageId),
    }),
    [me, name, toggleReaction],
  )
  useEffect(() => {
    if (!menu || !isMenuMessageGone) return
    setMenu(null)
    fallbackFocusTarget(menu.id)?.focus({ preventScroll: true })
  }, [menu, isMenuMessageGone])
  const confirmDeletion = () => {
    if (!deletion) return
    setDeletion({ ...deletion, open: false })
    endReplyOrEdit(otherUserId, deletion.id)
    deleteMessage(deletion.id)
  }
  return (
    <ThreadActionsProvider value={actions}>
      {children}
      {menu && menuBubble && !isMenuMessageGone && (
        <MessageMenu
          key={menu.id}
          bubble={menuBubble}
          anchor={menu.anchor}
          otherUserId={otherUserId}
          canMessage={canMessage}
          onClose={() => setMenu(null)}
          onDelete={() => setDeletion({ ...menu, open: true })}
        />
      )}
      {deletion && (
        <ConfirmDialog
          open={deletion.open}
          onClose={() => setDeletion({ ...deletion, open: false })}
          onConfirm={confirmDeletion}
          finalFocus={() => connectedOrFallback(deletion.anchor, deletion.id)}
          title={t`Delete this message?`}
          text={t`This deletes it for both of you. You can't undo this.`}
          confirmLabel={t`Delete`}
        />
      )}
      {image && (
        <Lightbox
          items={threadImages(bubbles, image, me, name)}
          openId={image.shownId}
          onOpen={(shownId) => setImage({ ...image, shownId })}
          finalFocus={(id) =>
            id === image.messageId ? connectedOrFallback(image.opener, id) : fallbackFocusTarget(id)
          }
        />
      )}
    </ThreadActionsProvider>
  )
}

/** Returns the images of the thread. `opened` may be one that is not uploaded yet. */
function threadImages(bubbles: Bubble[], opened: EnlargedImage, me: string, name: string): LightboxItem[] {
  return bubbles.flatMap(({ id, senderId, image, deleted }) => {
    const url = image?.url ?? (id === opened.messageId ? opened.url : null)
    if (!image || !url || deleted) return []
    const isOwn = senderId === me
    const { width, height, placeholder } = image
    const label = isOwn ? t`Photo from you` : t`Photo from ${name}`
    return { id, kind: 'image', url, label, width, height, placeholder, canDownload: isOwn }
  })
}

/** Shows the menu of a message next to `anchor`: a row of reactions, and its actions. Mounted while it is open. */
function MessageMenu({
  bubble,
  anchor,
  otherUserId,
  canMessage,
  onClose,
  onDelete,
}: {
  bubble: Bubble
  anchor: HTMLElement
  otherUserId: string
  /** If false, the menu still offers to copy, report and delete. */
  canMessage: boolean
  onClose: () => void
  onDelete: () => void
}) {
  const { me, name, react } = useThreadActions()
  const [highlighted, setHighlighted] = useState<string | null>(null)
  // The composer takes the focus itself for a reply or an edit.
  const focusMovesToComposer = useRef(false)
  const message = bubble.message
  const own = bubble.senderId === me
  if (!message) return null

  const compose = (kind: 'reply' | 'edit') => {
    focusMovesToComposer.current = true
    if (kind === 'reply') startReply(otherUserId, message)
    else startEdit(otherUserId, message)
  }
  const close = () => {
    onClose()
    if (!focusMovesToComposer.current) connectedOrFallback(anchor, bubble.id)?.focus({ preventScroll: true })
  }
  /** Adds arrow-key navigation to the row of reactions, because the menu itself supports only vertical movement. */
  const onKeyDown = (event: KeyboardEvent) => {
    const next = canMessage ? nextHighlight(event.key, highlighted) : undefined
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
        // The anchor's own handler toggles the menu.
        if (event.target instanceof Node && anchor.contains(event.target)) event.preventDefault()
      }}
      positioning={{
        placement: own ? 'bottom-end' : 'bottom-start',
        gutter: 4,
        getAnchorElement: () => anchor,
      }}
    >
      <Portal>
        <Parts.Positioner asChild>
          <section aria-label={t`Menu`}>
            <Parts.Content aria-label={t`Message actions`} onKeyDownCapture={onKeyDown}>
              {canMessage && (
                <Box
                  role="group"
                  aria-label={t`Reactions`}
                  display="grid"
                  gridTemplateColumns="repeat(8, 1fr)"
                >
                  {reactionEmojis.map((emoji) => (
                    <Parts.CheckboxItem
                      key={emoji}
                      value={emoji}
                      checked={hasReacted(message, me, emoji)}
                      onCheckedChange={() => react(bubble, emoji)}
                      closeOnSelect
                      aria-label={t(emojiNames[emoji])}
                      title={t(emojiNames[emoji])}
                      justifyContent="center"
                      paddingInline="0"
                      minWidth="9"
                      minHeight={{ base: 'target', md: '9' }}
                      fontSize="xl"
                      _checked={{ bg: 'ember.wash', boxShadow: 'inset 0 0 0 1px {colors.ember.ring}' }}
                    >
                      <Emoji emoji={emoji} />
                    </Parts.CheckboxItem>
                  ))}
                </Box>
              )}
              {canMessage && <Parts.Separator />}
              {canMessage && (
                <MenuItem value="reply" onSelect={() => compose('reply')}>
                  <ReplyIcon /> {t({ message: 'Reply', context: 'verb' })}
                </MenuItem>
              )}
              {message.content !== '' && (
                <MenuItem value="copy" onSelect={() => void copyText(message.content)}>
                  <CopyIcon /> {t`Copy`}
                </MenuItem>
              )}
              {canMessage && isEditable(message, me) && (
                <MenuItem value="edit" onSelect={() => compose('edit')}>
                  <PencilIcon /> {t`Edit`}
                </MenuItem>
              )}
              {!own && (
                <ReportMenuItems
                  subject={{
                    kind: 'message',
                    id: bubble.id,
                    user: { id: otherUserId, name },
                    finalFocus: () => connectedOrFallback(anchor, bubble.id),
                  }}
                />
              )}
              {own && !message.paidPhoto?.unlocked && (
                <MenuItem value="delete" danger onSelect={onDelete}>
                  <TrashIcon /> {t`Delete`}
                </MenuItem>
              )}
            </Parts.Content>
          </section>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  )
}

/** Returns the item to highlight after a key press in the row of reactions; undefined if the menu handles the key. */
function nextHighlight(key: string, highlighted: string | null): string | undefined {
  const emojis: readonly string[] = reactionEmojis
  const index = highlighted === null ? -1 : emojis.indexOf(highlighted)
  if (index < 0) return highlighted === null && key === 'ArrowRight' ? emojis[0] : undefined
  if (key === 'ArrowRight') return emojis[(index + 1) % emojis.length]
  if (key === 'ArrowLeft') return emojis.at(index - 1)
  if (key === 'ArrowDown') return 'reply'
  return undefined
}

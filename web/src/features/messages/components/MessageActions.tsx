import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ConfirmDialog } from '@/ui/Dialog'
import { Lightbox } from '@/ui/Lightbox'
import { deleteMessage } from '../api/delete-message'
import { toggleReaction } from '../api/toggle-reaction'
import { resetComposerIfFor } from '../composer-state'
import type { Bubble } from '../model/bubbles'
import { MessageMenu } from './MessageMenu'
import { connectedOrFallback, fallbackFocusTarget } from './message-focus'
import { type ThreadActions as Actions, type EnlargedImage, ThreadActionsProvider } from './thread-actions'

/** Gives the messages within what can be done with them; menu, question and large picture are there once for all. */
export function MessageActions({
  me,
  otherUserId,
  name,
  canMessage,
  bubbles,
  onGoTo,
  children,
}: {
  me: string
  otherUserId: string
  name: string
  canMessage: boolean
  /** What is drawn of the thread. */
  bubbles: Bubble[]
  onGoTo: (messageId: string) => void
  children: ReactNode
}) {
  const [menu, setMenu] = useState<{ id: string; beside: HTMLElement } | null>(null)
  // Both stay while they close.
  const [asking, setAsking] = useState<{ id: string; beside: HTMLElement; open: boolean } | null>(null)
  const [large, setLarge] = useState<(EnlargedImage & { from: HTMLElement; open: boolean }) | null>(null)
  const menuBubble = menu && bubbles.find((bubble) => bubble.id === menu.id)
  const menuGone = menu !== null && (!menuBubble || menuBubble.deleted)
  const largeGone = large?.open && bubbles.some((bubble) => bubble.id === large.id && bubble.deleted)
  if (large && largeGone) setLarge({ ...large, open: false })
  const goTo = useRef(onGoTo)
  useEffect(() => {
    goTo.current = onGoTo
  })
  const actions = useMemo<Actions>(
    () => ({
      me,
      name,
      openMenu: (id, beside) => setMenu((open) => (open?.id === id ? null : { id, beside })),
      openPicture: (picture, from) => setLarge({ ...picture, from, open: true }),
      react: (bubble, emoji) => {
        if (bubble.message) void toggleReaction(me, otherUserId, bubble.message, emoji)
      },
      goTo: (messageId) => goTo.current(messageId),
    }),
    [me, name, otherUserId],
  )
  useEffect(() => {
    if (!menu || !menuGone) return
    setMenu(null)
    fallbackFocusTarget(menu.id)?.focus({ preventScroll: true })
  }, [menu, menuGone])
  const remove = () => {
    if (!asking) return
    setAsking({ ...asking, open: false })
    resetComposerIfFor(otherUserId, asking.id)
    void deleteMessage(otherUserId, asking.id)
  }
  return (
    <ThreadActionsProvider value={actions}>
      {children}
      {menu && menuBubble && !menuGone && (
        <MessageMenu
          key={menu.id}
          bubble={menuBubble}
          beside={menu.beside}
          otherUserId={otherUserId}
          canMessage={canMessage}
          onClose={() => setMenu(null)}
          onDelete={() => setAsking({ ...menu, open: true })}
        />
      )}
      {asking && (
        <ConfirmDialog
          open={asking.open}
          onClose={() => setAsking({ ...asking, open: false })}
          onConfirm={remove}
          finalFocus={() => connectedOrFallback(asking.beside, asking.id)}
          title="Delete this message?"
          text="It is deleted for both of you. This cannot be taken back."
          confirmLabel="Delete"
        />
      )}
      {large && (
        <Lightbox
          open={large.open}
          onClose={() => setLarge({ ...large, open: false })}
          url={large.url}
          alt={large.alt}
          label={large.alt}
          finalFocus={() => connectedOrFallback(large.from, large.id)}
        />
      )}
    </ThreadActionsProvider>
  )
}

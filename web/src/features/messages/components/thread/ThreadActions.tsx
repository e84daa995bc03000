import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ConfirmDialog } from '@/ui/Dialog'
import { Lightbox } from '@/ui/Lightbox'
import { toggleReaction } from '../../api/react'
import { deleteMessage } from '../../api/remove'
import { composingOf, resetComposing } from '../../composing'
import type { Bubble } from '../groups'
import { type ThreadActions as Actions, ThreadActionsProvider } from './actions'
import { MessageMenu } from './MessageMenu'

/** Gives the messages within what can be done with them; menu, question and large picture are there once for all. */
export function ThreadActions({
  me,
  otherUserId,
  name,
  canMessage,
  onGoTo,
  children,
}: {
  me: string
  otherUserId: string
  name: string
  canMessage: boolean
  onGoTo: (messageId: string) => void
  children: ReactNode
}) {
  const [menu, setMenu] = useState<{ bubble: Bubble; beside: HTMLElement } | null>(null)
  // Both stay while they close.
  const [asking, setAsking] = useState<{ id: string; beside: HTMLElement; open: boolean } | null>(null)
  const [large, setLarge] = useState<{ url: string; alt: string; from: HTMLElement; open: boolean } | null>(
    null,
  )
  const goTo = useRef(onGoTo)
  useEffect(() => {
    goTo.current = onGoTo
  })
  const actions = useMemo<Actions>(
    () => ({
      me,
      name,
      openMenu: (bubble, beside) =>
        setMenu((open) => (open?.bubble.id === bubble.id ? null : { bubble, beside })),
      openPicture: (picture, from) => setLarge({ ...picture, from, open: true }),
      react: (bubble, emoji) => {
        if (bubble.message) void toggleReaction(me, otherUserId, bubble.message, emoji)
      },
      goTo: (messageId) => goTo.current(messageId),
    }),
    [me, name, otherUserId],
  )
  const remove = () => {
    if (!asking) return
    setAsking({ ...asking, open: false })
    const composing = composingOf(otherUserId)
    if (composing.kind !== 'write' && composing.message.id === asking.id) resetComposing(otherUserId)
    void deleteMessage(otherUserId, asking.id)
  }
  return (
    <ThreadActionsProvider value={actions}>
      {children}
      {menu && (
        <MessageMenu
          key={menu.bubble.id}
          bubble={menu.bubble}
          beside={menu.beside}
          otherUserId={otherUserId}
          canMessage={canMessage}
          onClose={() => setMenu(null)}
          onDelete={() => setAsking({ id: menu.bubble.id, beside: menu.beside, open: true })}
        />
      )}
      {asking && (
        <ConfirmDialog
          open={asking.open}
          onClose={() => setAsking({ ...asking, open: false })}
          onConfirm={remove}
          finalFocus={() => (asking.beside.isConnected ? asking.beside : null)}
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
          finalFocus={() => (large.from.isConnected ? large.from : null)}
        />
      )}
    </ThreadActionsProvider>
  )
}

import type { ReactionEmoji } from '@contract/message.ts'
import { createContext, use } from 'react'
import type { Bubble } from '../model/bubbles'

export interface EnlargedImage {
  messageId: string
  url: string
  alt: string
}

/** The data and actions that the messages of a thread share. The object stays the same while the thread is open. */
export interface ThreadActions {
  me: string
  /** The other user's name. */
  name: string
  /** Opens or closes the menu of a message next to `anchor`. */
  toggleMenu: (messageId: string, anchor: HTMLElement) => void
  /** Opens an image in the lightbox. When the lightbox closes, `opener` regains the focus. */
  openImage: (image: EnlargedImage, opener: HTMLElement) => void
  react: (bubble: Bubble, emoji: ReactionEmoji) => void
  /** Adds the user's heart, unless they have already added it or can't message the other user. */
  addHeart: (bubble: Bubble) => void
  /** Scrolls to a message of the conversation and loads it if necessary. */
  goToMessage: (messageId: string) => void
}

const ThreadActionsContext = createContext<ThreadActions | null>(null)

export const ThreadActionsProvider = ThreadActionsContext.Provider

export function useThreadActions(): ThreadActions {
  const actions = use(ThreadActionsContext)
  if (!actions) throw new Error('useThreadActions must be used within a ThreadActionsProvider.')
  return actions
}

/** Returns the element of a message in the open thread. It is focusable by script. */
function messageElement(messageId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
}

/** Returns the composer's text box, or null if the user cannot write in this conversation. */
export function composerElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-message-box]')
}

/** Returns the element to focus when the focused one in a message is removed: the message or else the composer. */
export function fallbackFocusTarget(messageId: string): HTMLElement | null {
  return messageElement(messageId) ?? composerElement()
}

/** Returns the element if it is still in the document, and otherwise the fallback focus target. */
export function connectedOrFallback(element: HTMLElement, messageId: string): HTMLElement | null {
  return element.isConnected ? element : fallbackFocusTarget(messageId)
}

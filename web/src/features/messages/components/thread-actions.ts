import type { ReactionEmoji } from '@contract/message.ts'
import { createContext, use } from 'react'
import type { Bubble } from '../model/bubbles'

/** `id` is the message's. */
export interface EnlargedImage {
  id: string
  url: string
  alt: string
}

/** What can be done with the messages of the open thread; the same object for as long as it is open. */
export interface ThreadActions {
  me: string
  /** The other person's. */
  name: string
  /** Opens the menu of one message beside the element that asked for it. */
  openMenu: (messageId: string, beside: HTMLElement) => void
  /** Shows the picture of a message large. */
  openPicture: (picture: EnlargedImage, from: HTMLElement) => void
  react: (bubble: Bubble, emoji: ReactionEmoji) => void
  /** Shows another message of the conversation, wherever it is. */
  goTo: (messageId: string) => void
}

const Context = createContext<ThreadActions | null>(null)

export const ThreadActionsProvider = Context.Provider

export function useThreadActions(): ThreadActions {
  const actions = use(Context)
  if (!actions) throw new Error('This is drawn within a thread only.')
  return actions
}

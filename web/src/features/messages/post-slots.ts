import type { ChatMessage } from '@contract/message.ts'
import { type ComponentType, createContext, use } from 'react'

export interface PostSlots {
  /**
   * Shows the post that a message links to. `sentMessage`: the message, if the current user sent it. `preview`: the
   * message is a draft.
   */
  Card: ComponentType<{ postId: string; sentMessage?: ChatMessage | undefined; preview?: boolean }>
  /** A dialog in which the current user chooses one of their posts. */
  Picker: ComponentType<{
    open: boolean
    onClose: () => void
    onChoose: (postId: string) => void
    finalFocus: () => HTMLElement | null
  }>
}

/** The components for posts in messages. The app provides them, because posts are another feature. */
const PostSlotsContext = createContext<PostSlots | null>(null)

export const PostSlotsProvider = PostSlotsContext.Provider

export function usePostSlots(): PostSlots {
  const slots = use(PostSlotsContext)
  if (!slots) throw new Error('usePostSlots must be used within a PostSlotsProvider.')
  return slots
}

import { create } from 'zustand'

/** The posts whose comments are open in lists, by id: a card that was out of sight comes back as it was. */
const useOpen = create<Record<string, boolean>>(() => ({}))

/** Whether the comments under a post are open in lists, and how to open or close them. */
export function useCommentsOpen(postId: string): [boolean, (open: boolean) => void] {
  const open = useOpen((all) => all[postId] ?? false)
  return [open, (next) => useOpen.setState({ [postId]: next })]
}

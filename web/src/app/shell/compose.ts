import { create } from 'zustand'
import { toast } from '@/ui/toaster'

type Dialog = typeof import('@/features/posts/compose/ComposeDialog').default

/** The dialog's code comes when it is first opened; it stays in the page from then on. */
export const useComposeDialog = create<{ open: boolean; Dialog: Dialog | null }>(() => ({
  open: false,
  Dialog: null,
}))

/** Opens the dialog that writes a post over whatever screen is there: the compose buttons and the key `n`. */
export function compose(): void {
  void open()
}

export function closeCompose(): void {
  useComposeDialog.setState({ open: false })
}

async function open(): Promise<void> {
  try {
    const { default: Dialog } = await import('@/features/posts/compose/ComposeDialog')
    useComposeDialog.setState({ open: true, Dialog })
  } catch {
    toast({
      title: 'That did not load',
      description: 'Please check the connection and try again.',
      tone: 'destructive',
    })
  }
}

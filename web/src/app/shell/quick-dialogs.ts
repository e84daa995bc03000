import type { OwnUser } from '@contract/user.ts'
import type { ComponentType } from 'react'
import { create } from 'zustand'
import { showLoadError } from '@/ui/toaster'

/** A dialog of the shell that a quick action opens on any screen. */
type QuickDialog = ComponentType<{ user: OwnUser; open: boolean; onClose: () => void }>

/** Functions that load a dialog's code when it is first opened. The dialog stays mounted from then on. */
const loaders = {
  post: () => import('@/features/posts/components/composer/ComposeDialog'),
  live: () => import('@/features/live/components/LiveDialog'),
  product: () => import('@/features/posts/components/product/ProductDialog'),
} satisfies Record<string, () => Promise<{ default: QuickDialog }>>

type QuickAction = keyof typeof loaders

export const useQuickDialogs = create<{
  open: QuickAction | null
  loaded: Partial<Record<QuickAction, QuickDialog>>
}>(() => ({ open: null, loaded: {} }))

/** Opens the dialog for a new post. */
export const openComposer = () => void open('post')
/** Opens the dialog that starts a live stream. */
export const openLiveDialog = () => void open('live')
/** Opens the dialog for a new product. */
export const openProductDialog = () => void open('product')

export function closeQuickDialog(): void {
  useQuickDialogs.setState({ open: null })
}

async function open(action: QuickAction): Promise<void> {
  try {
    const { default: Dialog } = await loaders[action]()
    useQuickDialogs.setState(({ loaded }) => ({ open: action, loaded: { ...loaded, [action]: Dialog } }))
  } catch {
    showLoadError()
  }
}

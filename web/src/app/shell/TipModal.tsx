import { useEffect, useState } from 'react'
import { closeTip, useTipping } from '@/lib/tipping'
import { toast } from '@/ui/toaster'

type Dialog = typeof import('@/features/tips/TipDialog').default

/** Where the dialog that tips appears, on every screen of the shell; its code comes when it is first opened. */
export function TipModal() {
  const { target, open } = useTipping()
  const [loaded, setLoaded] = useState<{ Dialog: Dialog } | null>(null)
  // Each opening begins anew, with nothing left of the one before.
  const [opened, setOpened] = useState(0)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpened(opened + 1)
  }
  useEffect(() => {
    if (!open || loaded) return
    import('@/features/tips/TipDialog').then(
      ({ default: Dialog }) => setLoaded({ Dialog }),
      () => {
        closeTip()
        toast({
          title: 'That did not load',
          description: 'Please check the connection and try again.',
          tone: 'destructive',
        })
      },
    )
  }, [open, loaded])
  if (!loaded || !target) return null
  return <loaded.Dialog key={opened} target={target} open={open} onClose={closeTip} />
}

import { type ComponentType, useEffect, useState } from 'react'
import { toast } from '@/ui/toaster'

/** A dialog whose code comes when it is first opened. Each opening begins anew, with nothing left of the one before. */
export function LazyDialog<Props extends { open: boolean; onClose: () => void }>({
  load,
  props,
}: {
  load: () => Promise<{ default: ComponentType<Props> }>
  props: Props
}) {
  const { open, onClose } = props
  const [loaded, setLoaded] = useState<{ Dialog: ComponentType<Props> } | null>(null)
  const [opened, setOpened] = useState(0)
  const [wasOpen, setWasOpen] = useState(false)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpened(opened + 1)
  }
  useEffect(() => {
    if (!open || loaded) return
    load().then(
      ({ default: Dialog }) => setLoaded({ Dialog }),
      () => {
        onClose()
        toast({
          title: 'That did not load',
          description: 'Please check the connection and try again.',
          tone: 'destructive',
        })
      },
    )
  }, [open, loaded, load, onClose])
  return loaded && <loaded.Dialog key={opened} {...props} />
}

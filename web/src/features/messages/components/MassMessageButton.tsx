import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { uuidv7 } from '@/lib/uuid'
import { useCurrentUser } from '@/session/session'
import { IconButton } from '@/ui/IconButton'
import { MegaphoneIcon } from '@/ui/icons'
import { massMessagesQuery } from '../api/mass-messages'

const MassMessageDialog = lazy(() => import('./MassMessageDialog'))

/** Shows a button that opens the dialog for messaging all subscribers. Only creators with subscribers see it. */
export function MassMessageButton({ me }: { me: string }) {
  const isCreator = useCurrentUser().user?.isCreator === true
  const { data, refetch } = useQuery({ ...massMessagesQuery, enabled: isCreator })
  // Null until the dialog is opened for the first time, so that its code is loaded only then.
  const [isOpen, setOpen] = useState<boolean | null>(null)
  // The id of the message being written. Every attempt to send it uses the same id, so that it is sent only once.
  const [id, setId] = useState(uuidv7)
  if (!isCreator || !data?.subscribers) return null
  const open = () => {
    if (data.messages.some((message) => message.id === id && message.finishedAt !== null)) setId(uuidv7())
    void refetch()
    setOpen(true)
  }
  return (
    <>
      <IconButton label={t`Message subscribers`} onClick={open}>
        <MegaphoneIcon />
      </IconButton>
      {isOpen !== null && (
        <Suspense fallback={null}>
          <MassMessageDialog
            me={me}
            id={id}
            onNext={() => setId(uuidv7())}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
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
  // The id of the sent message whose progress or result the dialog shows instead of the form.
  const [shownId, setShownId] = useState<string | null>(null)
  if (!isCreator || !data?.subscribers) return null
  const open = () => {
    if (data.messages.some(({ id, finishedAt }) => id === shownId && finishedAt !== null)) setShownId(null)
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
            shownId={shownId}
            onShow={setShownId}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

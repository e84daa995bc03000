import { useQuery } from '@tanstack/react-query'
import { Button } from '@/ui/Button'
import { unreadNotificationsQuery } from '../api'
import { useReadAllNotifications } from '../mark-read'

/** There while something is unread. It goes when pressed; `onPress` says where the focus is to be then. */
export function MarkAllReadButton({ onPress }: { onPress?: (button: HTMLElement) => void }) {
  const { data: unread } = useQuery(unreadNotificationsQuery)
  const readAll = useReadAllNotifications()
  if (!unread?.count) return null
  return (
    <Button
      size="sm"
      variant="link"
      paddingInline="0"
      disabled={readAll.isPending}
      onClick={(event) => {
        onPress?.(event.currentTarget)
        readAll.mutate()
      }}
    >
      Mark all read
    </Button>
  )
}

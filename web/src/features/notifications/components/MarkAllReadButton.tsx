import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/ui/Button'
import { unreadNotificationsQuery, useReadAllNotifications } from '../api'

/**
 * Shows a button to mark all notifications as read, while any are unread.
 *
 * @param moveFocus moves the focus from the button, which is removed after the click
 */
export function MarkAllReadButton({ moveFocus }: { moveFocus?: (button: HTMLElement) => void }) {
  // The header fetches the count.
  const { data: unread } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  const readAllNotifications = useReadAllNotifications()
  if (!unread?.count) return null
  return (
    <Button
      size="sm"
      variant="link"
      paddingInline="0"
      disabled={readAllNotifications.isPending}
      onClick={(event) => {
        moveFocus?.(event.currentTarget)
        readAllNotifications.mutate()
      }}
    >
      {t`Mark all read`}
    </Button>
  )
}

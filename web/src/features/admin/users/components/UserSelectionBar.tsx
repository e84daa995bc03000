import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { useRestoreFocus } from '@/ui/restore-focus'
import { SelectionBar } from '../../components/SelectionBar'
import { approve, suspend } from '../api'
import { notChangedText, type useBulkAdminAction } from '../bulk-action'
import { SuspensionDialog } from './SuspensionDialog'

/** Shows the actions for the selected users, the progress of an action, and the users for whom it failed. */
export function UserSelectionBar({
  users,
  bulkAction: { progress, isRunning, run, reset },
  onClear,
  heading,
}: {
  /** The selected users. */
  users: readonly AdminUser[]
  bulkAction: ReturnType<typeof useBulkAdminAction>
  onClear: () => void
  /** Returns the element that receives focus if the bar disappears. */
  heading: () => HTMLElement | null
}) {
  const suspendButton = useRef<HTMLButtonElement>(null)
  // The pressed button disappears while the action runs, so the focus would be lost.
  useRestoreFocus(isRunning, () => (isRunning ? null : (suspendButton.current ?? heading())))
  const [dialog, setDialog] = useState({ open: false, openCount: 0 })
  const failed = progress?.failed ?? []
  if (users.length === 0 && !isRunning && failed.length === 0) return null
  const unapproved = users.filter(({ approvedAt }) => !approvedAt)
  const active = users.filter(({ suspended }) => !suspended)
  const [total, current] = [
    progress?.total ?? 0,
    Math.min((progress?.finished ?? 0) + 1, progress?.total ?? 0),
  ]
  return (
    <>
      <SelectionBar
        label={t`Selected users`}
        status={
          isRunning ? t`Changing user ${current} of ${total}…` : t`${formatCount(users.length)} selected`
        }
        notice={
          !isRunning &&
          failed.length > 0 && (
            <>
              <Box display="flex" alignItems="center" justifyContent="space-between" gap="3">
                {notChangedText(failed.length)}
                <Button
                  size="sm"
                  variant="outline"
                  onClick={() =>
                    progress &&
                    void run(
                      failed.map(({ user }) => user),
                      progress.createAction,
                    )
                  }
                >
                  {t`Try again`}
                </Button>
              </Box>
              <Box as="ul" listStyleType="disc" paddingInlineStart="5" marginTop="1">
                {failed.map(({ user, message }) => (
                  <li key={user.id}>
                    <bdi>{displayName(user)}</bdi> <bdi dir="ltr">@{user.username}</bdi>: {message}
                  </li>
                ))}
              </Box>
            </>
          )
        }
        onClear={
          isRunning
            ? undefined
            : () => {
                reset()
                onClear()
                heading()?.focus({ preventScroll: true })
              }
        }
      >
        {!isRunning && unapproved.length > 0 && (
          <Button
            size="sm"
            variant="outline"
            paddingInline={{ base: '3', sm: '4' }}
            onClick={() => void run(unapproved, approve)}
          >
            {t`Approve ${unapproved.length}`}
          </Button>
        )}
        {!isRunning && active.length > 0 && (
          <Button
            ref={suspendButton}
            size="sm"
            variant="outline"
            paddingInline={{ base: '3', sm: '4' }}
            onClick={() => setDialog(({ openCount }) => ({ open: true, openCount: openCount + 1 }))}
          >
            {t`Suspend ${active.length}`}
          </Button>
        )}
      </SelectionBar>
      <SuspensionDialog
        key={dialog.openCount}
        open={dialog.open}
        onClose={() => setDialog(({ openCount }) => ({ open: false, openCount }))}
        finalFocus={() => (suspendButton.current?.isConnected ? suspendButton.current : heading())}
        title={t`${plural(active.length, { one: 'Suspend # user?', other: 'Suspend # users?' })}`}
        description={t`They can sign in and read but can't post, message or change anything until the suspension ends.`}
        isPending={false}
        discardText={t`${plural(active.length, {
          one: "The user hasn't been suspended.",
          other: "The users haven't been suspended.",
        })}`}
        onSubmit={(request) => {
          setDialog(({ openCount }) => ({ open: false, openCount }))
          void run(active, (user) => suspend(user, request))
        }}
      />
    </>
  )
}

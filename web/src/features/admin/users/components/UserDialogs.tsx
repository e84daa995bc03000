import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { AutoPreview } from '@contract/auto-posting.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Loading, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { formatCost } from '../../auto-posting/model'
import { suspend, useAdminAction, userPath } from '../api'
import { CreatePostDialog } from './CreatePostDialog'
import { EditUserDialog } from './EditUserDialog'
import { RemoveUserDialog } from './RemoveUserDialog'
import { SuspensionDialog } from './SuspensionDialog'

export type UserDialogKind = 'edit' | 'post' | 'preview' | 'suspend' | 'remove'

/**
 * The dialog to show and its user. `user` is a copy made when the dialog opened, so the dialog keeps its input when a
 * refetch changes or removes the user.
 */
export type UserDialogState = {
  open: boolean
  /** Incremented each time a dialog opens, so that its fields start empty. */
  openCount: number
  kind: UserDialogKind
  user: AdminUser
  /** The button that opened the dialog. */
  trigger: HTMLElement
  /** The row of the user. */
  row: HTMLElement | null
}

/** The props of every dialog. */
export type UserDialogProps = {
  user: AdminUser
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

/** Shows the dialog that `dialog` describes. Focus returns to the trigger or, if it is gone, the row or `heading`. */
export function UserDialogs({
  dialog: { open, openCount, kind, user, trigger, row },
  onClose,
  heading,
}: {
  dialog: UserDialogState
  onClose: () => void
  heading: () => HTMLElement | null
}) {
  const dialogProps: UserDialogProps = {
    user,
    open,
    onClose,
    finalFocus: () => [trigger, row].find((element) => element?.isConnected) ?? heading(),
  }
  switch (kind) {
    case 'edit':
      return <EditUserDialog key={openCount} {...dialogProps} />
    case 'post':
      return <CreatePostDialog key={openCount} {...dialogProps} />
    case 'preview':
      return <PreviewPostDialog key={openCount} {...dialogProps} />
    case 'suspend':
      return <SuspendUserDialog key={openCount} {...dialogProps} />
    case 'remove':
      return <RemoveUserDialog key={openCount} {...dialogProps} />
  }
}

/** Asks for the reason and the length of a suspension. */
function SuspendUserDialog({ user, onClose, ...dialogProps }: UserDialogProps) {
  const name = <bdi>{displayName(user)}</bdi>
  const { username } = user
  const { run, pendingAction } = useAdminAction(user.id)
  return (
    <SuspensionDialog
      {...dialogProps}
      onClose={onClose}
      title={t`Suspend this user?`}
      description={
        <Trans>
          {name} (@{username}) can sign in and read but can't post, message or change anything until the
          suspension ends.
        </Trans>
      }
      isPending={pendingAction !== undefined}
      onSubmit={(request) => run(suspend(user, request), onClose)}
    />
  )
}

/** Shows a sample auto-post for a user. The post is not published, but the run and the AI's answer are recorded. */
function PreviewPostDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const openId = useId()
  const name = <bdi>{displayName(user)}</bdi>
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'preview', user.id, openId],
    queryFn: ({ signal }) =>
      api.post(userPath(user.id, '/auto-posting-preview'), {}, AutoPreview, { signal }),
    enabled: open,
    gcTime: 0,
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t`Auto-post preview`}
      description={<Trans>What AI could post as {name}. Nothing is published.</Trans>}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t`Close`}
          </Button>
          {(data || isFetching) && (
            <Button
              variant="ember"
              pending={isFetching}
              pendingLabel={t`Writing…`}
              onClick={() => void refetch()}
            >
              {t`Write another`}
            </Button>
          )}
        </>
      }
    >
      <Box minHeight="9rem" paddingBlock="2">
        {isFetching && (
          <Loading label={t`Writing a draft`}>
            <SkeletonText lines={4} paddingBlock="4" />
          </Loading>
        )}
        {!isFetching && error && (
          <ErrorState
            title={t`Couldn't write a draft`}
            message={errorMessage(error, t`Something went wrong. Try again.`)}
            onRetry={() => void refetch()}
          />
        )}
        <div role="status">{!isFetching && !error && data && <PreviewContent preview={data} />}</div>
      </Box>
    </Dialog>
  )
}

function PreviewContent({ preview: { content, model, cost, basedOn } }: { preview: AutoPreview }) {
  return (
    <>
      <Box
        padding="4"
        bg="sunken"
        borderRadius="md"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        {...userTextParagraphs}
      >
        {content}
      </Box>
      <Box textStyle="small" color="muted" marginTop="3">
        {basedOn === 'nothing' ? (
          <Trans>
            This user hasn't agreed to auto-posting, so the AI provider received none of their data.
          </Trans>
        ) : (
          t`Based on their profile and latest posts.`
        )}{' '}
        {model} · {formatCost(cost)}
      </Box>
    </>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { type AdminUser, SuspendUserRequest } from '@contract/admin.ts'
import { AutoPreview } from '@contract/auto-posting.ts'
import { limits } from '@contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { api, errorMessage } from '@/lib/api'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { SelectField, TextareaField } from '@/ui/Field'
import { Loading, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { userTextParagraphs } from '@/ui/UserText'
import { formatCost } from '../../auto-posting/model'
import { suspensionDayOptions, untilLiftedOption } from '../../moderation/model'
import { suspend, useAdminAction, userPath } from '../api'
import { CreatePostDialog } from './CreatePostDialog'
import { EditUserDialog } from './EditUserDialog'
import { RemoveUserDialog } from './RemoveUserDialog'

export type UserDialogKind = 'edit' | 'post' | 'preview' | 'suspend' | 'remove'

/**
 * Which dialog is shown for which user. `user` is a copy from the moment of opening, so that the dialog keeps its input
 * when a refetch changes or removes the user.
 */
export type UserDialogState = {
  open: boolean
  /** Increases with each opening, so that the fields start empty. */
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

/** Shows the dialog that `dialog` describes. The focus returns to the trigger, its row, or else `heading`. */
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
function SuspendUserDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const form = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('7')
  const [reasonError, setReasonError] = useState<string>()
  const { run, pendingAction } = useAdminAction(user.id)
  const isPending = pendingAction !== undefined
  const isDirty = reason.trim() !== ''
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty,
    busy: isPending,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && isDirty),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = SuspendUserRequest.safeParse({
      reason,
      days: days === untilLiftedOption ? null : Number(days),
    })
    setReasonError(request.error?.issues[0]?.message)
    if (request.success) run(suspend(user, request.data), onClose)
    else field.current?.focus()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => field.current}
        title="Suspend this account?"
        description={
          <>
            <bdi>{displayName(user)}</bdi> (@{user.username}) can sign in and read, and change nothing until
            it is over.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" form={form} variant="danger" pending={isPending}>
              Suspend
            </Button>
          </>
        }
      >
        <chakra.form id={form} noValidate display="grid" gap="4" paddingBlock="2" onSubmit={submit}>
          <TextareaField
            ref={field}
            label="Reason"
            hint="They read it, and may appeal."
            maxLength={limits.moderationReason.max}
            value={reason}
            error={reasonError}
            dir="auto"
            onChange={({ target }) => {
              setReason(target.value)
              setReasonError(undefined)
            }}
          />
          <SelectField label="For how long" value={days} onChange={({ target }) => setDays(target.value)}>
            {suspensionDayOptions.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? '1 day' : `${count} days`}
              </option>
            ))}
            <option value={untilLiftedOption}>Until it is lifted</option>
          </SelectField>
        </chakra.form>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text="Nobody was suspended, and it is not kept." />
    </>
  )
}

/** Shows a sample auto-post for a user. It is neither published nor stored. */
function PreviewPostDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const openId = useId()
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
      title="Draft of an auto-post"
      description={
        <>
          What could be posted in the name of <bdi>{displayName(user)}</bdi>. Nothing is published.
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Close
          </Button>
          {(data || isFetching) && (
            <Button
              variant="ember"
              pending={isFetching}
              pendingLabel="Writing…"
              onClick={() => void refetch()}
            >
              Write another
            </Button>
          )}
        </>
      }
    >
      <Box minHeight="9rem" paddingBlock="2">
        {isFetching && (
          <Loading label="Writing a draft">
            <SkeletonText lines={4} paddingBlock="4" />
          </Loading>
        )}
        {!isFetching && error && (
          <ErrorState
            title="No draft was written"
            message={errorMessage(error, 'The draft did not come. Please try again.')}
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
        {basedOn === 'nothing'
          ? 'They have not agreed to auto-posting, so nothing of theirs was sent: the draft could be anybody’s.'
          : 'Written from their profile and latest posts.'}{' '}
        {model} · {formatCost(cost)}
      </Box>
    </>
  )
}

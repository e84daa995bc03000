import { Box, chakra } from '@chakra-ui/react'
import { RemoveUserRequest } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { errorMessage, fieldErrorText } from '@/lib/errors'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog, useDiscardConfirmation } from '@/ui/DiscardDialog'
import { TextareaField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { isBalanceLeftError, useRemoveUser } from '../api'
import type { UserDialogProps } from './UserDialogs'

const List = chakra('ul', {
  base: { listStyleType: 'disc', paddingInlineStart: '5', display: 'grid', gap: '1' },
})

/** Returns the schema of the form. `confirmation` must match the username, ignoring case and a leading @. */
const removalForm = (username: string) =>
  RemoveUserRequest.extend({
    confirmation: z
      .string()
      .refine((text) => text.trim().replace(/^@/, '').toLowerCase() === username.toLowerCase()),
  })

/**
 * Shows what the removal of an account deletes, and asks for a reason and the username. If the user has a balance, also
 * asks the admin to confirm that the user forfeits it.
 */
export function RemoveUserDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const formElement = useRef<HTMLFormElement>(null)
  const { username } = user
  const {
    control,
    register,
    handleSubmit,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(removalForm(username)),
    defaultValues: { reason: '', confirmation: '', giveUpBalance: false },
  })
  /** Set when the removal fails because the user has a balance. */
  const [balanceMessage, setBalanceMessage] = useState<string>()
  const { remove, isPending } = useRemoveUser(user, onClose)
  const name = <bdi>{displayName(user)}</bdi>
  const isDirty = useWatch({ control, name: 'reason' })?.trim() !== ''
  const { close, confirmation } = useDiscardConfirmation({
    open,
    isDirty,
    // A removal cannot be cancelled.
    busy: isPending,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && isDirty),
  })
  const submit = handleSubmit(({ reason, giveUpBalance }) => {
    if (isPending) return
    remove(
      { reason, giveUpBalance },
      {
        onError: (error) =>
          isBalanceLeftError(error) &&
          setBalanceMessage(errorMessage(error, t`Couldn't remove the account. Try again.`)),
      },
    )
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => formElement.current?.querySelector('textarea') ?? null}
        role="alertdialog"
        title={t`Remove this account?`}
        description={
          <Trans>
            {name} (@{username}) is removed immediately, and their email address can't be used to register
            again. You can't undo this.
          </Trans>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              {t`Cancel`}
            </Button>
            <Button variant="danger" type="submit" form={id} pending={isPending} pendingLabel={t`Removing…`}>
              {t`Remove account`}
            </Button>
          </>
        }
      >
        <Box display="grid" gap="5" paddingBlock="2">
          <RemovalEffects />
          <chakra.form ref={formElement} id={id} noValidate display="grid" gap="4" onSubmit={submit}>
            <TextareaField
              label={t`Reason`}
              hint={t`Included in the email to the user.`}
              maxLength={limits.moderationReason.max}
              error={fieldErrorText(errors.reason)}
              dir="auto"
              {...register('reason')}
            />
            <TextField
              label={t`Type ${username} to confirm`}
              error={errors.confirmation && t`This doesn't match their username.`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...register('confirmation')}
            />
            {balanceMessage && (
              <Box role="alert" padding="4" bg="sunken" borderRadius="md">
                <Controller
                  control={control}
                  name="giveUpBalance"
                  render={({ field }) => (
                    <Switch
                      label={t`Forfeit their balance`}
                      hint={balanceMessage}
                      checked={field.value === true}
                      onChange={field.onChange}
                    />
                  )}
                />
              </Box>
            )}
          </chakra.form>
        </Box>
      </Dialog>
      <DiscardDialog confirmation={confirmation} text={t`The account hasn't been removed.`} />
    </>
  )
}

function RemovalEffects() {
  return (
    <Box display="grid" gap="3" textStyle="small">
      <div>
        <Box textStyle="label" marginBottom="1">
          {t`What is deleted`}
        </Box>
        <List>
          <li>{t`Their profile, settings, photos, videos and gallery`}</li>
          <li>{t`Their posts and all comments on them, including posts that others have unlocked`}</li>
          <li>{t`Their likes, reposts, saves, follows, notifications and sessions`}</li>
          <li>{t`Their subscriptions and those of their subscribers, which end immediately`}</li>
        </List>
      </div>
      <div>
        <Box textStyle="label" marginBottom="1">
          {t`What stays, under the name “Deleted user”`}
        </Box>
        <List>
          <li>{t`Their comments on other people's posts and the messages they sent`}</li>
          <li>{t`Payments, reports and the audit log`}</li>
        </List>
      </div>
    </Box>
  )
}

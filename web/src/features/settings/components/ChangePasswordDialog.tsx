import { chakra } from '@chakra-ui/react'
import { ChangePasswordRequest } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { fieldErrorText, inlineErrorMessage, serverFieldErrors, showFieldErrors } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { PasswordField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { ErrorText } from '@/ui/states'
import { useChangePassword } from '../api/account'

type Props = { open: boolean; onClose: () => void; finalFocus: () => HTMLElement | null }

/** Asks for the current password and a new one. */
export function ChangePasswordDialog({ open, onClose, finalFocus }: Props) {
  const formId = useId()
  const change = useChangePassword()
  const close = () => {
    if (change.isPending) return
    change.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Change password`}
      description={t`You stay signed in here. All other devices are logged out, and your access tokens are revoked.`}
      initialFocus={() => document.getElementById(formId)?.querySelector('input[type=password]') ?? null}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={change.isPending}>
            {t`Cancel`}
          </Button>
          <Button
            variant="ember"
            type="submit"
            form={formId}
            pending={change.isPending}
            pendingLabel={t`Saving…`}
          >
            {t`Change password`}
          </Button>
        </>
      }
    >
      <PasswordForm id={formId} change={change} onChanged={onClose} />
    </Dialog>
  )
}

const fields = ['currentPassword', 'newPassword'] as const

function PasswordForm({
  id,
  change,
  onChanged,
}: {
  id: string
  change: ReturnType<typeof useChangePassword>
  onChanged: () => void
}) {
  const { user } = useCurrentUser()
  const { formState, register, setError, handleSubmit } = useForm({
    resolver: zodResolver(ChangePasswordRequest),
    defaultValues: { currentPassword: '', newPassword: '' },
  })
  const { errors } = formState
  const hasFieldError = Object.keys(serverFieldErrors(change.error)).length > 0
  const formError = hasFieldError
    ? null
    : inlineErrorMessage(change.error, t`Couldn't change your password. Try again.`)

  const submit = handleSubmit((request) => {
    if (change.isPending) return
    change.mutate(request, {
      onSuccess: onChanged,
      onError: (error) => showFieldErrors(error, fields, setError),
    })
  })
  return (
    <chakra.form id={id} noValidate onSubmit={submit} display="grid" gap="4">
      {/* Tells password managers which account the new password belongs to. */}
      <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <div>
        <PasswordField
          label={t`Current password`}
          showLabel={t`Show current password`}
          autoComplete="current-password"
          error={fieldErrorText(errors.currentPassword)}
          {...register('currentPassword')}
        />
        <TextLink
          to={paths.forgotPassword.getHref()}
          // Prefills the email field.
          state={{ email: user?.email }}
          textStyle="small"
          display="inline-flex"
          alignItems="center"
          minHeight="target"
        >
          {t`Forgot your password?`}
        </TextLink>
      </div>
      <PasswordField
        label={t`New password`}
        showLabel={t`Show new password`}
        autoComplete="new-password"
        hint={t`At least 6 characters`}
        error={fieldErrorText(errors.newPassword)}
        {...register('newPassword')}
      />
      <ErrorText>{formError}</ErrorText>
    </chakra.form>
  )
}

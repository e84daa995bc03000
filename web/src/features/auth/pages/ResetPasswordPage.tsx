import { Box, chakra } from '@chakra-ui/react'
import { MessageResponse, ResetLinkResponse, ResetPasswordForm, resetLinkInvalid } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { api } from '@/lib/api'
import { ApiError, fieldErrorText, isTransient, showFieldErrors, translateServerText } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { clearSessionIfEnded } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { PasswordField } from '@/ui/Field'
import { Spinner } from '@/ui/Skeleton'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout } from '../components/AuthLayout'
import { authErrorText, useSubmitOnce } from '../form-submission'
import { useEmailToken } from '../url-state'

/** `/reset-password`: the page that the link in a password reset email opens. */
export default function ResetPasswordPage() {
  const { token, clearToken } = useEmailToken()
  if (token === null)
    return (
      <InvalidLink
        title={t`No reset token found`}
        text={t`Open the link in your email again, or request a new one.`}
      />
    )
  return <ResetPassword token={token} onTokenInvalid={clearToken} />
}

function ResetPassword({ token, onTokenInvalid }: { token: string; onTokenInvalid: () => void }) {
  const [isDone, setDone] = useState(false)
  /** The server's message if the token became invalid between the check and the submission. */
  const [rejection, setRejection] = useState<string | null>(null)
  const verification = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => verifyToken(token, signal),
    gcTime: 0,
  })

  if (isDone) return <PasswordReset />
  if (rejection !== null) return <InvalidLink text={translateServerText(rejection || resetLinkInvalid)} />
  if (verification.isError) {
    return (
      <VerificationFailed
        text={authErrorText(verification.error, t`Check your connection and try again.`)}
        isRetrying={verification.isFetching}
        onRetry={() => void verification.refetch()}
      />
    )
  }
  if (verification.isPending) return <VerifyingLink />
  if (!verification.data.valid) {
    return <InvalidLink text={translateServerText(verification.data.message || resetLinkInvalid)} />
  }
  return (
    <NewPasswordForm
      token={token}
      onDone={() => {
        setDone(true)
        onTokenInvalid()
      }}
      onTokenRejected={(message) => {
        setRejection(message)
        onTokenInvalid()
      }}
    />
  )
}

/**
 * Returns whether the token is valid, with the server's message if it is not. An error that a retry cannot fix, such as
 * the one for a malformed token, also means that the token is invalid.
 */
async function verifyToken(token: string, signal: AbortSignal): Promise<ResetLinkResponse> {
  try {
    return await api.get(`/api/auth/verify-reset-token/${encodeURIComponent(token)}`, ResetLinkResponse, {
      signal,
    })
  } catch (error) {
    if (!(error instanceof ApiError) || isTransient(error)) throw error
    return { valid: false, message: error.code === 'reset_token_invalid' ? error.serverMessage : '' }
  }
}

const fields = ['newPassword', 'confirmPassword'] as const

function NewPasswordForm({
  token,
  onDone,
  onTokenRejected,
}: {
  token: string
  onDone: () => void
  /** The token became invalid after it was verified. `message` is the server's error message. */
  onTokenRejected: (message: string) => void
}) {
  useDocumentTitle(t`Reset password`)
  const form = useForm({
    resolver: zodResolver(ResetPasswordForm),
    defaultValues: { newPassword: '', confirmPassword: '' },
  })
  const { errors } = form.formState

  const reset = useMutation({
    mutationFn: async ({ newPassword }: { newPassword: string }) => {
      await api.post('/api/auth/reset-password', { token, newPassword }, MessageResponse)
      // The server ended all sessions of the account, possibly including the one in this browser.
      await clearSessionIfEnded()
    },
    onSuccess: () => {
      toast({ title: t`Password reset successful`, description: t`Sign in with your new password.` })
      onDone()
    },
    meta: {
      errorTitle: t`Failed to reset password`,
      errorMessage: (error) => authErrorText(error, t`Check your connection and try again.`),
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'reset_token_invalid')
        onTokenRejected(error.serverMessage)
      else showFieldErrors(error, fields, form.setError)
    },
  })
  const submitOnce = useSubmitOnce(reset.mutateAsync)

  const showFirstError = (formErrors: FieldErrors<{ newPassword: string; confirmPassword: string }>) => {
    const description = fields.map((field) => fieldErrorText(formErrors[field])).find(Boolean)
    toast({ title: t`Validation Error`, description, tone: 'destructive' })
  }
  return (
    <AuthLayout
      title={t`Reset password`}
      subtitle={t`Choose a new password. We'll sign you out on all devices.`}
    >
      <chakra.form
        noValidate
        aria-label={t`Reset password`}
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="5"
        onSubmit={form.handleSubmit(submitOnce, showFirstError)}
      >
        <PasswordField
          label={t`New password`}
          showLabel={t`Show new password`}
          autoComplete="new-password"
          hint={t`At least 6 characters`}
          // The form replaces the loading message, so it takes the focus.
          autoFocus
          error={fieldErrorText(errors.newPassword)}
          {...form.register('newPassword')}
        />
        <PasswordField
          label={t`Confirm password`}
          showLabel={t`Show password confirmation`}
          autoComplete="new-password"
          error={fieldErrorText(errors.confirmPassword)}
          {...form.register('confirmPassword')}
        />
        <Button
          type="submit"
          variant="ember"
          size="lg"
          pending={reset.isPending}
          pendingLabel={t`Resetting password…`}
        >
          {t`Reset password`}
        </Button>
      </chakra.form>
    </AuthLayout>
  )
}

function VerifyingLink() {
  useDocumentTitle(t`Reset password`)
  return (
    <AuthLayout title={t`Reset password`}>
      <Box role="status" display="flex" alignItems="center" gap="3" color="muted" paddingBlock="4">
        <Spinner /> {t`Verifying reset link...`}
      </Box>
    </AuthLayout>
  )
}

/** Shows that the link could not be verified, for example because the connection was lost. It may still be valid. */
function VerificationFailed({
  text,
  isRetrying,
  onRetry,
}: {
  text: string
  isRetrying: boolean
  onRetry: () => void
}) {
  useDocumentTitle(t`Reset password`)
  return (
    <AuthLayout isOutcome title={t`Couldn't check your link`} subtitle={text}>
      <Button variant="ember" size="lg" width="100%" pending={isRetrying} onClick={onRetry}>
        {t`Try again`}
      </Button>
    </AuthLayout>
  )
}

function InvalidLink({ title = t`Invalid or expired link`, text }: { title?: string; text: string }) {
  useDocumentTitle(title)
  return (
    <AuthLayout isOutcome title={title} subtitle={text}>
      <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2">
        <ButtonLink to={paths.forgotPassword.getHref()} variant="ember" size="lg">
          {t`Request a new link`}
        </ButtonLink>
        <ButtonLink to={paths.login.getHref()} variant="ghost" size="lg">
          {t`Sign in`}
        </ButtonLink>
      </Box>
    </AuthLayout>
  )
}

function PasswordReset() {
  useDocumentTitle(t`Password reset successful`)
  return (
    <AuthLayout
      isOutcome
      title={t`Password reset successful!`}
      subtitle={t`You've been signed out on all devices. Sign in with your new password.`}
    >
      <ButtonLink to={paths.login.getHref()} variant="ember" size="lg" width="100%">
        {t`Sign in`}
      </ButtonLink>
    </AuthLayout>
  )
}

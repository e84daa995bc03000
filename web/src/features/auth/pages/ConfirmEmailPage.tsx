import { Box } from '@chakra-ui/react'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { ApiError, translateServerText } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { addressToConfirm, useResendConfirmation } from '@/session/email-confirmation'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout } from '../components/AuthLayout'
import { authErrorText } from '../form-submission'
import { useEmailToken } from '../url-state'

/** `/confirm-email`: the page that the link in a confirmation email opens. */
export default function ConfirmEmailPage() {
  const { token, clearToken } = useEmailToken()
  if (token === null)
    return <InvalidLink title={t`No confirmation token found`} text={t`Open the link in your email again.`} />
  return <ConfirmEmail token={token} onTokenInvalid={clearToken} />
}

/**
 * Confirms the address when the user clicks the button. Does not confirm it on load: email scanners open every link, so
 * they would confirm mistyped addresses.
 */
function ConfirmEmail({ token, onTokenInvalid }: { token: string; onTokenInvalid: () => void }) {
  const queryClient = useQueryClient()
  const { user } = useCurrentUser()
  const confirmEmail = useMutation({
    mutationFn: () => api.post('/api/auth/confirm-email', { token }, ConfirmEmailResponse),
    onSuccess: () => {
      onTokenInvalid()
      void queryClient.invalidateQueries({ queryKey: queryKeys.currentUser })
    },
    onError: (error) => {
      if (permanentErrorText(error, user)) onTokenInvalid()
    },
  })
  useDocumentTitle(t`Confirm email address`)
  if (confirmEmail.isSuccess) return <EmailConfirmed email={confirmEmail.data.email} />
  const permanentError = permanentErrorText(confirmEmail.error, user)
  if (permanentError) return <InvalidLink {...permanentError} />
  return (
    <AuthLayout
      isOutcome={confirmEmail.isError}
      title={confirmEmail.isError ? t`Couldn't confirm your email address` : t`Confirm your email address`}
      subtitle={
        confirmEmail.isError
          ? authErrorText(confirmEmail.error, t`Check your connection and try again.`)
          : t`You'll sign in with this address, and we'll send emails to it.`
      }
    >
      <Button
        variant="ember"
        size="lg"
        width="100%"
        pending={confirmEmail.isPending}
        onClick={() => confirmEmail.mutate()}
      >
        {confirmEmail.isError
          ? t`Try again`
          : confirmEmail.isPending
            ? t`Confirming…`
            : t`Confirm email address`}
      </Button>
    </AuthLayout>
  )
}

/**
 * Returns the title and text for an error that a retry cannot fix, or null for any other error. A user whose address is
 * already confirmed may have opened the link twice, so the text does not suggest that they request another one.
 */
function permanentErrorText(error: unknown, user: OwnUser | null): { title: string; text: string } | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'email_taken') {
    return {
      title: t`Email is already registered`,
      text: t`Someone else has since registered this address, so we kept your current one.`,
    }
  }
  if (error.status !== 400) return null
  const email = user?.emailConfirmed && !user.pendingEmail ? user.email : null
  return {
    title: t`Invalid or expired link`,
    text:
      email === null
        ? translateServerText(error.serverMessage || emailLinkInvalid)
        : t`This link has already been used or has expired. Your account uses ${email}, which is confirmed.`,
  }
}

/** Explains that the link cannot be used, and offers to send another one if the user has an address to confirm. */
function InvalidLink({ title, text }: { title: string; text: string }) {
  const { user } = useCurrentUser()
  const resend = useResendConfirmation()
  const address = user && (user.pendingEmail || !user.emailConfirmed) ? addressToConfirm(user) : null
  useDocumentTitle(title)
  return (
    <AuthLayout isOutcome title={title} subtitle={text}>
      <Box display="grid" gap="3">
        {address !== null && (
          <>
            <Button
              variant="ember"
              size="lg"
              width="100%"
              pending={resend.isPending}
              onClick={() => resend.mutate()}
            >
              {t`Send a new link`}
            </Button>
            <Box as="p" textStyle="small" color="muted">
              {t`We’ll send it to ${address}.`}
            </Box>
          </>
        )}
        <NextPageLink variant={address === null ? 'ember' : 'outline'} />
      </Box>
    </AuthLayout>
  )
}

function EmailConfirmed({ email }: { email: string }) {
  useDocumentTitle(t`Email address confirmed`)
  return (
    <AuthLayout isOutcome title={t`Email address confirmed`} subtitle={t`Your account uses ${email}.`}>
      <NextPageLink email={email} />
    </AuthLayout>
  )
}

/** Links to the settings if the user is signed in, else to the sign-in page with the email address filled in. */
function NextPageLink({ email, variant = 'ember' }: { email?: string; variant?: 'ember' | 'outline' }) {
  return (
    <Box display="grid">
      {hasStoredSession() ? (
        <ButtonLink to={paths.settings.getHref('account')} variant={variant} size="lg">
          {t`Open settings`}
        </ButtonLink>
      ) : (
        <ButtonLink
          to={paths.login.getHref()}
          state={email ? { email } : undefined}
          variant={variant}
          size="lg"
        >
          {t`Sign in`}
        </ButtonLink>
      )}
    </Box>
  )
}

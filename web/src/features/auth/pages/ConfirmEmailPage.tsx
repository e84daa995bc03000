import { Box } from '@chakra-ui/react'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/api'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { hasStoredSession } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText } from '../auth-form'
import { AuthLayout } from '../components/AuthLayout'
import { useEmailToken } from '../url-state'

const invalidLinkTitle = 'Invalid or expired link'

/** `/confirm-email`: the page that the link in an email-change mail opens. */
export default function ConfirmEmailPage() {
  const { token, clearToken } = useEmailToken()
  if (token === null)
    return <InvalidLink title="No confirmation token found" text="Open the link in the mail again." />
  return <ConfirmEmail token={token} onTokenInvalid={clearToken} />
}

/**
 * Confirms the address when the user clicks the button. It does not confirm on load because mail scanners open every
 * link, which would confirm a mistyped address.
 */
function ConfirmEmail({ token, onTokenInvalid }: { token: string; onTokenInvalid: () => void }) {
  const queryClient = useQueryClient()
  const confirmEmail = useMutation({
    mutationFn: () => api.post('/api/auth/confirm-email', { token }, ConfirmEmailResponse),
    onSuccess: () => {
      onTokenInvalid()
      void queryClient.invalidateQueries({ queryKey: queryKeys.currentUser })
    },
    onError: (error) => {
      if (permanentErrorText(error)) onTokenInvalid()
    },
  })
  useDocumentTitle('Confirm email address')
  if (confirmEmail.isSuccess) return <EmailConfirmed email={confirmEmail.data.email} />
  const permanentError = permanentErrorText(confirmEmail.error)
  if (permanentError) return <InvalidLink {...permanentError} />
  return (
    <AuthLayout
      isOutcome={confirmEmail.isError}
      title={confirmEmail.isError ? 'Your address could not be confirmed' : 'Confirm your new email address'}
      subtitle={
        confirmEmail.isError
          ? authErrorText(confirmEmail.error, 'Please check your connection.')
          : 'From then on you sign in with it, and our mails go to it.'
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
          ? 'Try again'
          : confirmEmail.isPending
            ? 'Confirming...'
            : 'Confirm this address'}
      </Button>
    </AuthLayout>
  )
}

/** Returns the title and text of an error that a retry cannot fix, or null for any other error. */
function permanentErrorText(error: unknown): { title: string; text: string } | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'email_taken') {
    return {
      title: 'Email is already registered',
      text: 'Somebody has registered with this address meanwhile. Your account keeps the one it has.',
    }
  }
  return error.status === 400
    ? { title: invalidLinkTitle, text: error.serverMessage || emailLinkInvalid }
    : null
}

function InvalidLink({ title, text }: { title: string; text: string }) {
  useDocumentTitle(title)
  return (
    <AuthLayout isOutcome title={title} subtitle={text}>
      <NextPageLink />
    </AuthLayout>
  )
}

function EmailConfirmed({ email }: { email: string }) {
  useDocumentTitle('Email address confirmed')
  return (
    <AuthLayout isOutcome title="Your new address is confirmed" subtitle={`Your account now uses ${email}.`}>
      <NextPageLink email={email} />
    </AuthLayout>
  )
}

/** Links to the settings if the user is signed in, else to the sign-in page with the email address filled in. */
function NextPageLink({ email }: { email?: string }) {
  return (
    <Box display="grid">
      {hasStoredSession() ? (
        <ButtonLink to={paths.settings.getHref('profile')} variant="ember" size="lg">
          Open settings
        </ButtonLink>
      ) : (
        <ButtonLink
          to={paths.login.getHref()}
          state={email ? { email } : undefined}
          variant="ember"
          size="lg"
        >
          Log in
        </ButtonLink>
      )}
    </Box>
  )
}

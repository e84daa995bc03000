import { Box } from '@chakra-ui/react'
import { ConfirmEmailResponse, emailLinkInvalid } from '@contract/account.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/api'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-keys'
import { hasStoredSession } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText } from '../auth-error-text'
import { AuthLayout } from '../components/AuthLayout'
import { useEmailToken } from '../useEmailToken'

const invalid = 'Invalid or expired link'

/** `/confirm-email`: where the link in the mail to a new address leads. */
export default function ConfirmEmailPage() {
  const { token, forget } = useEmailToken()
  if (token === null)
    return <DeadEnd title="No confirmation token found" text="Open the link in the mail again." />
  return <WithToken token={token} onSpent={forget} />
}

/**
 * Asks for a press: programs that open every link of a mail to look at it would else confirm an address that somebody
 * only mistyped. `onSpent`: the link is of no more use.
 */
function WithToken({ token, onSpent }: { token: string; onSpent: () => void }) {
  const client = useQueryClient()
  const confirming = useMutation({
    mutationFn: () => api.post('/api/auth/confirm-email', { token }, ConfirmEmailResponse),
    onSuccess: () => {
      onSpent()
      void client.invalidateQueries({ queryKey: queryKeys.currentUser })
    },
    onError: (error) => {
      if (refusalOf(error)) onSpent()
    },
  })
  useDocumentTitle('Confirm email address')
  if (confirming.isSuccess) return <Done email={confirming.data.email} />
  const refusal = refusalOf(confirming.error)
  if (refusal) return <DeadEnd {...refusal} />
  return (
    <AuthLayout
      isOutcome={confirming.isError}
      title={confirming.isError ? 'Your address could not be confirmed' : 'Confirm your new email address'}
      subtitle={
        confirming.isError
          ? authErrorText(confirming.error, 'Please check your connection.')
          : 'From then on you sign in with it, and our mails go to it.'
      }
    >
      <Button
        variant="ember"
        size="lg"
        width="100%"
        pending={confirming.isPending}
        onClick={() => confirming.mutate()}
      >
        {confirming.isError ? 'Try again' : confirming.isPending ? 'Confirming...' : 'Confirm this address'}
      </Button>
    </AuthLayout>
  )
}

/** What is to be said of a link that trying again does not make good; null for anything else. */
function refusalOf(error: unknown): { title: string; text: string } | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'email_taken') {
    return {
      title: 'Email is already registered',
      text: 'Somebody has registered with this address meanwhile. Your account keeps the one it has.',
    }
  }
  return error.status === 400 ? { title: invalid, text: error.serverMessage || emailLinkInvalid } : null
}

function DeadEnd({ title, text }: { title: string; text: string }) {
  useDocumentTitle(title)
  return (
    <AuthLayout isOutcome title={title} subtitle={text}>
      <Onward />
    </AuthLayout>
  )
}

function Done({ email }: { email: string }) {
  useDocumentTitle('Email address confirmed')
  return (
    <AuthLayout isOutcome title="Your new address is confirmed" subtitle={`Your account now uses ${email}.`}>
      <Onward email={email} />
    </AuthLayout>
  )
}

/** To the settings, for who is signed in in this browser; else to the sign-in page, which fills the address in. */
function Onward({ email }: { email?: string }) {
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

import { Box } from '@chakra-ui/react'
import { ResetLinkResponse, resetLinkInvalid } from '@contract/auth.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, isTransient } from '@/lib/api'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Spinner } from '@/ui/Spinner'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText } from '../auth-error-text'
import { AuthLayout } from '../components/AuthLayout'
import { useEmailToken } from '../useEmailToken'
import { ResetPasswordForm } from './ResetPasswordForm'

/** Whether the link can be used. A server that refuses the very form of the token says no, too. */
async function checkLink(token: string, signal: AbortSignal): Promise<ResetLinkResponse> {
  try {
    return await api.get(`/api/auth/verify-reset-token/${encodeURIComponent(token)}`, ResetLinkResponse, {
      signal,
    })
  } catch (error) {
    if (!(error instanceof ApiError) || isTransient(error)) throw error
    return { valid: false, message: error.code === 'reset_token_invalid' ? error.serverMessage : '' }
  }
}

/** `/reset-password`: where the link in the mail leads. */
export default function ResetPasswordPage() {
  const { token, forget } = useEmailToken()
  if (token === null)
    return (
      <DeadEnd title="No reset token found" text="Open the link in the mail again, or request a new one." />
    )
  return <WithToken token={token} onSpent={forget} />
}

/** `onSpent`: the link is of no more use. */
function WithToken({ token, onSpent }: { token: string; onSpent: () => void }) {
  const [done, setDone] = useState(false)
  /** What the server said when the link was used up between the check and the new password. */
  const [spent, setSpent] = useState<string | null>(null)
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => checkLink(token, signal),
    gcTime: 0,
  })

  if (done) return <Done />
  if (spent !== null) return <DeadEnd title="Invalid or expired link" text={spent || resetLinkInvalid} />
  if (link.isError) {
    return (
      <NotChecked
        text={authErrorText(link.error, 'Please check your connection.')}
        asking={link.isFetching}
        onRetry={() => void link.refetch()}
      />
    )
  }
  if (link.isPending) return <Checking />
  if (!link.data.valid) {
    return <DeadEnd title="Invalid or expired link" text={link.data.message || resetLinkInvalid} />
  }
  return (
    <NewPassword
      token={token}
      onDone={() => {
        setDone(true)
        onSpent()
      }}
      onSpent={(message) => {
        setSpent(message)
        onSpent()
      }}
    />
  )
}

function NewPassword(props: React.ComponentProps<typeof ResetPasswordForm>) {
  useDocumentTitle('Reset password')
  return (
    <AuthLayout title="Reset password" subtitle="Choose a new password. You will be signed out everywhere.">
      <ResetPasswordForm {...props} />
    </AuthLayout>
  )
}

function Checking() {
  useDocumentTitle('Reset password')
  return (
    <AuthLayout title="Reset password">
      <Box role="status" display="flex" alignItems="center" gap="3" color="muted" paddingBlock="4">
        <Spinner /> Verifying reset link...
      </Box>
    </AuthLayout>
  )
}

/** Nobody could say whether the link is good: that is no reason to call it bad. */
function NotChecked({ text, asking, onRetry }: { text: string; asking: boolean; onRetry: () => void }) {
  useDocumentTitle('Reset password')
  return (
    <AuthLayout isOutcome title="Your link could not be checked" subtitle={text}>
      <Button variant="ember" size="lg" width="100%" pending={asking} onClick={onRetry}>
        Try again
      </Button>
    </AuthLayout>
  )
}

function DeadEnd({ title, text }: { title: string; text: string }) {
  useDocumentTitle(title)
  return (
    <AuthLayout isOutcome title={title} subtitle={text}>
      <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2">
        <ButtonLink to={paths.forgotPassword.getHref()} variant="ember" size="lg">
          Request a new link
        </ButtonLink>
        <ButtonLink to={paths.login.getHref()} variant="ghost" size="lg">
          Log in
        </ButtonLink>
      </Box>
    </AuthLayout>
  )
}

function Done() {
  useDocumentTitle('Password reset successful')
  return (
    <AuthLayout
      isOutcome
      title="Password reset successful!"
      subtitle="You have been signed out everywhere. Sign in with your new password."
    >
      <ButtonLink to={paths.login.getHref()} variant="ember" size="lg" width="100%">
        Sign in
      </ButtonLink>
    </AuthLayout>
  )
}

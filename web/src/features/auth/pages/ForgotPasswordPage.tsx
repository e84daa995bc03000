import { Box, chakra } from '@chakra-ui/react'
import { ForgotPasswordRequest, MessageResponse } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '@/lib/api'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText } from '../auth-error-text'
import { useSubmitOnce } from '../auth-form'
import { AuthLayout } from '../components/AuthLayout'
import { showFieldErrors } from '../form-errors'
import { useReturnPath } from '../url-state'
import { usePrefilledEmail } from '../usePrefilledEmail'

/** `/forgot-password`: asks for the mail with the link; what is said afterwards is the same for every address. */
export default function ForgotPasswordPage() {
  const email = usePrefilledEmail()
  const back = useWayBack()
  const form = useForm({ resolver: zodResolver(ForgotPasswordRequest), defaultValues: { email } })
  /** The form came back in place of what was said, where the focus was. */
  const [again, setAgain] = useState(false)
  const { errors } = form.formState

  const ask = useMutation({
    mutationFn: (values: ForgotPasswordRequest) =>
      api.post('/api/auth/forgot-password', values, MessageResponse),
    onError: (error) => {
      toast({
        title: 'Failed to send reset email',
        description: authErrorText(error, 'Please try again.'),
        tone: 'destructive',
      })
      showFieldErrors(error, ['email'], form.setError)
    },
  })
  const send = useSubmitOnce(ask.mutateAsync)
  useDocumentTitle(ask.isSuccess ? 'Check your email' : 'Forgot password')
  const askAnew = () => {
    setAgain(true)
    ask.reset()
  }

  if (ask.isSuccess) {
    return (
      <AuthLayout
        isOutcome
        title="Check your email"
        subtitle="If the email exists, a password reset link has been sent. The link expires in 1 hour."
      >
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2">
          <ButtonLink to={back.href} variant="ember" size="lg">
            {back.text}
          </ButtonLink>
          <Button variant="ghost" size="lg" onClick={askAnew}>
            Use another email
          </Button>
        </Box>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      subtitle="Tell us the email of your account, and we send you a link to choose a new password."
    >
      <chakra.form
        noValidate
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="5"
        onSubmit={form.handleSubmit(send)}
      >
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={again}
          error={errors.email?.message}
          {...form.register('email')}
        />
        <Button type="submit" variant="ember" size="lg" pending={ask.isPending} pendingLabel="Sending...">
          Send reset link
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        Remembered it? <TextLink to={back.href}>{back.text}</TextLink>
      </Box>
    </AuthLayout>
  )
}

/** Where somebody came from: the sign-in page, or, signed in, the settings. */
function useWayBack(): { href: string; text: string } {
  const { keep } = useReturnPath()
  const { isAuthenticated, isLoading } = useCurrentUser()
  const isInside = isAuthenticated || (isLoading && hasStoredSession())
  return isInside
    ? { href: paths.settings.getHref('security'), text: 'Back to settings' }
    : { href: keep(paths.login.getHref()), text: 'Back to login' }
}

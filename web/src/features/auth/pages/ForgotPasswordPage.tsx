import { Box, chakra } from '@chakra-ui/react'
import { ForgotPasswordRequest, MessageResponse } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '@/lib/api'
import { fieldErrorText, showFieldErrors } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { hasStoredSession, useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout } from '../components/AuthLayout'
import { authErrorText, useKeepTypedValues, useSubmitOnce } from '../form-submission'
import { useReturnPath, useSignInState } from '../url-state'

const fields = ['email'] as const

/**
 * `/forgot-password`: sends an email with a reset link. The response is the same for every address, so that nobody can
 * find out which addresses have an account.
 */
export default function ForgotPasswordPage() {
  const { email } = useSignInState()
  const backLink = useBackLink()
  const form = useForm({ resolver: zodResolver(ForgotPasswordRequest), defaultValues: { email } })
  useKeepTypedValues(form, fields)
  /** Whether the form has replaced the confirmation. The focus was in the confirmation, so it must move to the form. */
  const [isRestarted, setRestarted] = useState(false)
  const { errors } = form.formState

  const requestReset = useMutation({
    mutationFn: (values: ForgotPasswordRequest) =>
      api.post('/api/auth/forgot-password', values, MessageResponse),
    meta: {
      errorTitle: t`Failed to send reset email`,
      errorMessage: (error) => authErrorText(error, t`Check your connection and try again.`),
    },
    onError: (error) => showFieldErrors(error, fields, form.setError),
  })
  const submitOnce = useSubmitOnce(requestReset.mutateAsync)
  useDocumentTitle(requestReset.isSuccess ? t`Check your email` : t`Forgot password`)
  const restart = () => {
    setRestarted(true)
    requestReset.reset()
  }

  if (requestReset.isSuccess) {
    return (
      <AuthLayout
        isOutcome
        title={t`Check your email`}
        subtitle={t`If the email exists, a password reset link has been sent. The link expires in 1 hour.`}
      >
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2">
          <ButtonLink to={backLink.href} variant="ember" size="lg">
            {backLink.text}
          </ButtonLink>
          <Button variant="ghost" size="lg" onClick={restart}>
            {t`Use another email`}
          </Button>
        </Box>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t`Forgot your password?`}
      subtitle={t`Enter your email and we'll send you a link to reset your password.`}
    >
      <chakra.form
        noValidate
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="5"
        onSubmit={form.handleSubmit(submitOnce)}
      >
        <TextField
          label={t`Email`}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={isRestarted}
          error={fieldErrorText(errors.email)}
          {...form.register('email')}
        />
        <Button
          type="submit"
          variant="ember"
          size="lg"
          pending={requestReset.isPending}
          pendingLabel={t`Sending…`}
        >
          {t`Send reset link`}
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        {t`Remembered your password?`} <TextLink to={backLink.href}>{backLink.text}</TextLink>
      </Box>
    </AuthLayout>
  )
}

/** Returns a link to the settings if the user is signed in, else to the sign-in page. */
function useBackLink(): { href: string; text: string } {
  const { withReturnPath } = useReturnPath()
  const { isAuthenticated, isLoading } = useCurrentUser()
  const isSignedIn = isAuthenticated || (isLoading && hasStoredSession())
  return isSignedIn
    ? { href: paths.settings.getHref('security'), text: t`Back to settings` }
    : { href: withReturnPath(paths.login.getHref()), text: t`Back to sign in` }
}

import { Box, chakra } from '@chakra-ui/react'
import { RegisterRequest, RegisterResponse } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { api } from '@/lib/api'
import { appName } from '@/lib/config'
import { fieldErrorText, showFieldErrors } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { startSession } from '@/session/session'
import { Button } from '@/ui/Button'
import { PasswordField, TextField } from '@/ui/Field'
import { TextAnchor, TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout, RedirectIfSignedIn } from '../components/AuthLayout'
import { Captcha, type CaptchaHandle } from '../components/Captcha'
import { authErrorText, useKeepTypedValues, useSubmitOnce } from '../form-submission'
import { useReturnPath } from '../url-state'

const emptyForm: z.input<typeof RegisterRequest> = {
  fullName: '',
  username: '',
  email: '',
  phoneNumber: '',
  password: '',
  confirmPassword: '',
  recaptcha: '',
}
const typedFields = ['fullName', 'username', 'email', 'phoneNumber'] as const
const fields = [...typedFields, 'password', 'confirmPassword', 'recaptcha'] as const

/** `/register`. */
export default function RegisterPage() {
  useDocumentTitle(t`Create Your Account`)
  return (
    <RedirectIfSignedIn title={t`Create Your Account`}>
      <RegisterForm />
    </RedirectIfSignedIn>
  )
}

/**
 * Shows the registration form. After registration, opens the sign-in page with the new account's email address filled
 * in, unless the server has already signed the user in.
 */
function RegisterForm() {
  const navigate = useNavigate()
  const { withReturnPath } = useReturnPath()
  const loginHref = withReturnPath(paths.login.getHref())
  const captcha = useRef<CaptchaHandle>(null)
  const form = useForm({ resolver: zodResolver(RegisterRequest), defaultValues: emptyForm })
  useKeepTypedValues(form, typedFields)
  const { errors } = form.formState

  const register = useMutation({
    mutationFn: (values: RegisterRequest) => api.post('/api/auth/register', values, RegisterResponse),
    onSuccess: async ({ user, session }, { email }) => {
      // Sets the current user, so that `RedirectIfSignedIn` redirects.
      if (session && (await startSession({ user, session }).catch(() => null))) {
        toast({ title: t`Registration successful!`, description: t`Welcome to ${appName}` })
        return
      }
      toast({ title: t`Registration successful!`, description: t`Please log in with your new account.` })
      navigate(loginHref, { state: { email, isNewAccount: true } })
    },
    meta: {
      errorTitle: t`Registration failed`,
      errorMessage: (error) => authErrorText(error, t`Registration failed`),
    },
    onError: (error) => {
      captcha.current?.renew()
      showFieldErrors(error, fields, form.setError)
    },
  })

  const submitOnce = useSubmitOnce(register.mutateAsync)
  return (
    <AuthLayout title={t`Create Your Account`} subtitle={t`Join ${appName} and start sharing your content`}>
      <chakra.form
        noValidate
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="5"
        onSubmit={(event) => {
          event.preventDefault()
          captcha.current?.renewIfExpired()
          void form.handleSubmit(submitOnce)()
        }}
      >
        <TextField
          label={t`Full name`}
          autoComplete="name"
          error={fieldErrorText(errors.fullName)}
          {...form.register('fullName')}
        />
        <TextField
          label={t`Username`}
          // Users sign in with their email address. With `username`, password managers would save the username instead.
          autoComplete="nickname"
          hint={t`Letters, numbers, and underscores`}
          autoCapitalize="none"
          spellCheck={false}
          error={fieldErrorText(errors.username)}
          {...form.register('username')}
        />
        <TextField
          label={t`Email`}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={fieldErrorText(errors.email)}
          {...form.register('email')}
        />
        <TextField
          label={t`Phone number`}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          error={fieldErrorText(errors.phoneNumber)}
          {...form.register('phoneNumber')}
        />
        <PasswordField
          label={t`Password`}
          showLabel={t`Show password`}
          autoComplete="new-password"
          hint={t`At least 6 characters`}
          error={fieldErrorText(errors.password)}
          {...form.register('password')}
        />
        <PasswordField
          label={t`Confirm password`}
          showLabel={t`Show password confirmation`}
          autoComplete="new-password"
          error={fieldErrorText(errors.confirmPassword)}
          {...form.register('confirmPassword')}
        />
        <Controller
          control={form.control}
          name="recaptcha"
          render={({ field, fieldState }) => (
            <Captcha
              ref={(handle) => {
                captcha.current = handle
                field.ref(handle)
              }}
              onToken={(token) =>
                form.setValue('recaptcha', token, {
                  shouldValidate: form.formState.isSubmitted && token !== '',
                })
              }
              error={fieldErrorText(fieldState.error)}
            />
          )}
        />
        <Box as="p" textStyle="small" color="muted">
          <Trans>
            By creating an account, you confirm you're 18 or older and accept the{' '}
            <TextAnchor href={paths.terms.getHref()} target="_blank" rel="noopener" underlined>
              Terms of Service
            </TextAnchor>{' '}
            and{' '}
            <TextAnchor href={paths.privacy.getHref()} target="_blank" rel="noopener" underlined>
              Privacy Policy
            </TextAnchor>
            .
          </Trans>
        </Box>
        <Button
          type="submit"
          variant="ember"
          size="lg"
          pending={register.isPending}
          pendingLabel={t`Creating Account...`}
        >
          {t`Create Account`}
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        <Trans>
          Already have an account? <TextLink to={loginHref}>Sign in here</TextLink>
        </Trans>
      </Box>
    </AuthLayout>
  )
}

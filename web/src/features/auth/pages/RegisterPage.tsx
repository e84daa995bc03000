import { Box, chakra } from '@chakra-ui/react'
import { RegisterRequest, RegisterResponse } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { api } from '@/lib/api'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { PasswordField, TextField } from '@/ui/Field'
import { TextAnchor, TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText, showFieldErrors, useSubmitOnce } from '../auth-form'
import { AuthLayout, RedirectIfSignedIn } from '../components/AuthLayout'
import { Captcha, type CaptchaHandle } from '../components/Captcha'
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
const fields = [
  'fullName',
  'username',
  'email',
  'phoneNumber',
  'password',
  'confirmPassword',
  'recaptcha',
] as const

/** `/register`. */
export default function RegisterPage() {
  useDocumentTitle('Create Your Account')
  return (
    <RedirectIfSignedIn title="Create Your Account">
      <RegisterForm />
    </RedirectIfSignedIn>
  )
}

/** After registration, opens the sign-in page with the new account's email address filled in. */
function RegisterForm() {
  const navigate = useNavigate()
  const { withReturnPath } = useReturnPath()
  const loginHref = withReturnPath(paths.login.getHref())
  const captcha = useRef<CaptchaHandle>(null)
  const form = useForm({ resolver: zodResolver(RegisterRequest), defaultValues: emptyForm })
  const { errors } = form.formState

  const register = useMutation({
    mutationFn: (values: RegisterRequest) => api.post('/api/auth/register', values, RegisterResponse),
    onSuccess: (_, { email }) => {
      toast({ title: 'Registration successful!', description: 'Please log in with your new account.' })
      navigate(loginHref, { state: { email } })
    },
    onError: (error) => {
      toast({
        title: 'Registration failed',
        description: authErrorText(error, 'Registration failed'),
        tone: 'destructive',
      })
      captcha.current?.renew()
      showFieldErrors(error, fields, form.setError)
    },
  })

  const submitOnce = useSubmitOnce(register.mutateAsync)
  return (
    <AuthLayout title="Create Your Account" subtitle={`Join ${appName} and start sharing your content`}>
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
          label="Full name"
          autoComplete="name"
          error={errors.fullName?.message}
          {...form.register('fullName')}
        />
        <TextField
          label="Username"
          // Users sign in by email. With `username`, password managers would save this value instead.
          autoComplete="nickname"
          hint="Letters, numbers, and underscores"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username')}
        />
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField
          label="Phone number"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          error={errors.phoneNumber?.message}
          {...form.register('phoneNumber')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 6 characters"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
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
              error={fieldState.error?.message}
            />
          )}
        />
        <Box as="p" textStyle="small" color="muted">
          By creating an account you confirm that you are 18 or older and accept the{' '}
          <TextAnchor href={paths.terms.getHref()} target="_blank" rel="noopener" underlined>
            Terms
          </TextAnchor>{' '}
          and the{' '}
          <TextAnchor href={paths.privacy.getHref()} target="_blank" rel="noopener" underlined>
            Privacy Policy
          </TextAnchor>
        </Box>
        <Button
          type="submit"
          variant="ember"
          size="lg"
          pending={register.isPending}
          pendingLabel="Creating Account..."
        >
          Create Account
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        Already have an account? <TextLink to={loginHref}>Sign in here</TextLink>
      </Box>
    </AuthLayout>
  )
}

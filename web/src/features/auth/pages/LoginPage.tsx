import { Box, chakra } from '@chakra-ui/react'
import { LoginRequest } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { appName } from '@/lib/app-name'
import { configQuery } from '@/lib/config'
import { paths } from '@/lib/paths'
import { signIn } from '@/session/session'
import { Button } from '@/ui/Button'
import { PasswordField, TextField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { authErrorText } from '../auth-error-text'
import { useSubmitOnce } from '../auth-form'
import { AuthLayout } from '../components/AuthLayout'
import { Captcha, type CaptchaHandle } from '../components/Captcha'
import { RedirectIfSignedIn } from '../components/RedirectIfSignedIn'
import { showFieldErrors } from '../form-errors'
import { useReturnPath } from '../url-state'
import { usePrefilledEmail } from '../usePrefilledEmail'
import { DemoAccounts } from './DemoAccounts'

const empty: z.input<typeof LoginRequest> = { email: '', password: '', recaptcha: '' }

/** `/login`, and with `?next=…` the way back to where somebody was. */
export default function LoginPage() {
  useDocumentTitle('Sign In')
  return (
    <RedirectIfSignedIn title="Welcome back">
      <LoginForm />
    </RedirectIfSignedIn>
  )
}

/** Signing in makes somebody current, which is what leads on. */
function LoginForm() {
  const { keep } = useReturnPath()
  const email = usePrefilledEmail()
  const config = useQuery(configQuery)
  const captcha = useRef<CaptchaHandle>(null)
  /** A demo account was chosen: the form goes off as soon as the captcha is solved. */
  const [goesByItself, setGoesByItself] = useState(false)
  const form = useForm({ resolver: zodResolver(LoginRequest), defaultValues: { ...empty, email } })
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (values: LoginRequest) => signIn(values),
    onSuccess: () => toast({ title: 'Login successful!', description: `Welcome back to ${appName}.` }),
    onError: (error) => {
      toast({ title: 'Login failed', description: authErrorText(error, 'Login failed'), tone: 'destructive' })
      captcha.current?.renew()
      showFieldErrors(error, ['email', 'password', 'recaptcha'], form.setError)
    },
  })
  const send = useSubmitOnce(login.mutateAsync)
  const submit = () => {
    captcha.current?.dropStale()
    return form.handleSubmit(send)()
  }

  const takeToken = (token: string) => {
    form.setValue('recaptcha', token, { shouldValidate: form.formState.isSubmitted && token !== '' })
    if (!goesByItself || token === '') return
    setGoesByItself(false)
    void submit()
  }
  const chooseDemoAccount = (email: string, password: string) => {
    form.setValue('email', email)
    form.setValue('password', password)
    if (form.getValues('recaptcha')) {
      void submit()
    } else {
      setGoesByItself(true)
      captcha.current?.solve()
    }
  }

  const busy = login.isPending || goesByItself
  return (
    <AuthLayout title="Welcome back" subtitle="Sign in to your account">
      <chakra.form
        noValidate
        display="grid"
        gridTemplateColumns="minmax(0, 1fr)"
        gap="5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
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
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            error={errors.password?.message}
            {...form.register('password')}
          />
          <TextLink
            to={keep(paths.forgotPassword.getHref())}
            textStyle="small"
            display="inline-flex"
            alignItems="center"
            minHeight="target"
          >
            Forgot your password?
          </TextLink>
        </div>
        <Controller
          control={form.control}
          name="recaptcha"
          render={({ field, fieldState }) => (
            <Captcha
              ref={(handle) => {
                captcha.current = handle
                field.ref(handle)
              }}
              onToken={takeToken}
              onFail={() => setGoesByItself(false)}
              error={fieldState.error?.message}
            />
          )}
        />
        <Button type="submit" variant="ember" size="lg" pending={busy} pendingLabel="Signing in...">
          Sign In
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        New here? <TextLink to={keep(paths.register.getHref())}>Create account</TextLink>
      </Box>
      {config.data?.demoAccounts && (
        <DemoAccounts accounts={config.data.demoAccounts} disabled={busy} onChoose={chooseDemoAccount} />
      )}
    </AuthLayout>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { LoginRequest } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Navigate, useNavigate } from 'react-router-dom'
import type { z } from 'zod'
import { appName } from '@/appName'
import { messageOf } from '@/lib/api'
import { configQuery } from '@/lib/config'
import { signIn, useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { Button } from '@/ui/Button'
import { PasswordField, TextField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthFrame } from '../AuthFrame'
import { Captcha, type CaptchaHandle } from '../captcha/Captcha'
import { DemoAccounts } from '../DemoAccounts'
import { showFieldErrors } from '../formErrors'

const empty: z.input<typeof LoginRequest> = { email: '', password: '', recaptcha: '' }

export default function LoginPage() {
  useDocumentTitle('Sign In')
  const navigate = useNavigate()
  const { isAuthenticated } = useCurrentUser()
  const config = useQuery(configQuery)
  const captcha = useRef<CaptchaHandle>(null)
  /** A demo account was chosen: the form goes off as soon as the captcha is solved. */
  const [goesByItself, setGoesByItself] = useState(false)
  const form = useForm({ resolver: zodResolver(LoginRequest), defaultValues: empty })
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (values: LoginRequest) => signIn(values),
    onSuccess: () => {
      toast({ title: 'Login successful!', description: `Welcome back to ${appName}.` })
      navigate(paths.home.getHref(), { replace: true })
    },
    onError: (error) => {
      toast({ title: 'Login failed', description: messageOf(error, 'Login failed'), tone: 'destructive' })
      captcha.current?.renew()
      showFieldErrors(error, ['email', 'password'], form.setError)
    },
  })
  const submit = form.handleSubmit((values) => login.mutate(values))

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

  if (isAuthenticated && !login.isSuccess) return <Navigate to={paths.home.getHref()} replace />
  const busy = login.isPending || goesByItself
  return (
    <AuthFrame title="Welcome back" subtitle="Sign in to your account">
      <chakra.form noValidate display="grid" gap="5" onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
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
            to={paths.forgotPassword.getHref()}
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
        New here? <TextLink to={paths.register.getHref()}>Create account</TextLink>
      </Box>
      {config.data?.demoAccounts && (
        <DemoAccounts accounts={config.data.demoAccounts} disabled={busy} onChoose={chooseDemoAccount} />
      )}
    </AuthFrame>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { LoginRequest } from '@contract/auth.ts'
import type { Config } from '@contract/config.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { appName, configQuery } from '@/lib/config'
import { fieldErrorText, showFieldErrors } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { IdleSignOutNotice } from '@/session/components/IdleSignOutNotice'
import { signIn } from '@/session/session'
import { Button } from '@/ui/Button'
import { PasswordField, TextField } from '@/ui/Field'
import { lineTarget, TextLink, VisuallyHidden } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthLayout, RedirectIfSignedIn } from '../components/AuthLayout'
import { Captcha, type CaptchaHandle } from '../components/Captcha'
import { authErrorText, useKeepTypedValues, useSubmitOnce } from '../form-submission'
import { useReturnPath, useSignInState } from '../url-state'

const emptyForm: z.input<typeof LoginRequest> = { email: '', password: '', recaptcha: '' }
const typedFields = ['email'] as const

/** `/login`. The URL parameter `next` is the page to open after signing in. */
export default function LoginPage() {
  useDocumentTitle(t`Sign In`)
  const { isNewAccount } = useSignInState()
  const title = isNewAccount ? t`Welcome to ${appName}` : t`Welcome back`
  return (
    <RedirectIfSignedIn title={title}>
      <LoginForm title={title} />
    </RedirectIfSignedIn>
  )
}

/** Shows the sign-in form. Signing in sets the current user, so that `RedirectIfSignedIn` redirects. */
function LoginForm({ title }: { title: string }) {
  const { withReturnPath } = useReturnPath()
  const { email } = useSignInState()
  const config = useQuery(configQuery)
  const captcha = useRef<CaptchaHandle>(null)
  /** Whether the form is submitted as soon as the captcha is solved, because a demo account was selected. */
  const [submitsWhenSolved, setSubmitsWhenSolved] = useState(false)
  const form = useForm({ resolver: zodResolver(LoginRequest), defaultValues: { ...emptyForm, email } })
  useKeepTypedValues(form, typedFields)
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (values: LoginRequest) => signIn(values),
    onSuccess: () => toast({ title: t`Login successful!`, description: t`Welcome back to ${appName}.` }),
    meta: {
      errorTitle: t`Login failed`,
      errorMessage: (error) => authErrorText(error, t`Login failed`),
    },
    onError: (error) => {
      captcha.current?.renew()
      showFieldErrors(error, ['email', 'password', 'recaptcha'], form.setError)
    },
  })
  const submitOnce = useSubmitOnce(login.mutateAsync)
  const submit = () => {
    captcha.current?.renewIfExpired()
    return form.handleSubmit(submitOnce)()
  }

  const handleToken = (token: string) => {
    form.setValue('recaptcha', token, { shouldValidate: form.formState.isSubmitted && token !== '' })
    if (!submitsWhenSolved || token === '') return
    setSubmitsWhenSolved(false)
    void submit()
  }
  const signInWithDemoAccount = (email: string, password: string) => {
    form.setValue('email', email)
    form.setValue('password', password)
    if (form.getValues('recaptcha')) {
      void submit()
    } else {
      setSubmitsWhenSolved(true)
      captcha.current?.solve()
    }
  }

  const isBusy = login.isPending || submitsWhenSolved
  return (
    <AuthLayout title={title} subtitle={t`Sign in to your account`}>
      <IdleSignOutNotice />
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
          label={t`Email`}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={fieldErrorText(errors.email)}
          {...form.register('email')}
        />
        <div>
          <PasswordField
            label={t`Password`}
            showLabel={t`Show password`}
            autoComplete="current-password"
            error={fieldErrorText(errors.password)}
            {...form.register('password')}
          />
          <Box marginTop="2" textStyle="small">
            <TextLink
              to={withReturnPath(paths.forgotPassword.getHref())}
              display="inline-block"
              {...lineTarget}
            >
              {t`Forgot your password?`}
            </TextLink>
          </Box>
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
              onToken={handleToken}
              onFail={() => setSubmitsWhenSolved(false)}
              error={fieldErrorText(fieldState.error)}
            />
          )}
        />
        <Button type="submit" variant="ember" size="lg" pending={isBusy} pendingLabel={t`Signing in...`}>
          {t`Sign In`}
        </Button>
      </chakra.form>
      <Box as="p" marginTop="5" textAlign="center" color="muted">
        <Trans>
          New here? <TextLink to={withReturnPath(paths.register.getHref())}>Create account</TextLink>
        </Trans>
      </Box>
      {config.data?.demoAccounts && (
        <DemoAccounts
          accounts={config.data.demoAccounts}
          disabled={isBusy}
          onSelect={signInWithDemoAccount}
        />
      )}
    </AuthLayout>
  )
}

/** Translations of the demo accounts' labels, which the server sends in English. */
const demoLabels: Record<string, MessageDescriptor> = {
  Creator: msg`Creator`,
  Fan: msg`Fan`,
  Admin: msg`Admin`,
}

/** Shows buttons that sign in with a demo account, on a server with demo data. */
function DemoAccounts({
  accounts,
  disabled,
  onSelect,
}: {
  accounts: NonNullable<Config['demoAccounts']>
  disabled: boolean
  onSelect: (email: string, password: string) => void
}) {
  const id = useId()
  if (accounts.length === 0) return null
  return (
    <Box as="section" aria-labelledby={id} marginTop="5" paddingTop="5" borderTopWidth="1px">
      <Box as="h2" id={id} textStyle="label">
        {t`Try a demo account`}
      </Box>
      <Box as="p" textStyle="small" color="muted" marginTop="1" textWrap="pretty">
        {t`This server runs on demo data. One click signs you in.`}
      </Box>
      <Box display="grid" gridTemplateColumns="repeat(auto-fit, minmax(6rem, 1fr))" gap="2" marginTop="3">
        {accounts.map((account) => {
          const label = demoLabels[account.label]
          return (
            <Button
              key={account.email}
              variant="outline"
              size="sm"
              paddingInline="3"
              title={account.email}
              disabled={disabled}
              onClick={() => onSelect(account.email, account.password)}
            >
              {label ? t(label) : account.label} <VisuallyHidden>{account.email}</VisuallyHidden>
            </Button>
          )
        })}
      </Box>
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { ForgotPasswordRequest, Told } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '@/lib/api'
import { paths } from '@/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { TextLink } from '@/ui/layout'
import { toast } from '@/ui/toaster'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { AuthFrame } from '../AuthFrame'
import { failureText } from '../failureText'
import { showFieldErrors } from '../formErrors'
import { useOnce } from '../useOnce'
import { useReturnPath } from '../useReturnPath'

/** `/forgot-password`: asks for the mail with the link; what is said afterwards is the same for every address. */
export default function ForgotPasswordPage() {
  const { keep } = useReturnPath()
  const form = useForm({ resolver: zodResolver(ForgotPasswordRequest), defaultValues: { email: '' } })
  const { errors } = form.formState

  const ask = useMutation({
    mutationFn: (values: ForgotPasswordRequest) => api.post('/api/auth/forgot-password', values, Told),
    onError: (error) => {
      toast({
        title: 'Failed to send reset email',
        description: failureText(error, 'Please try again.'),
        tone: 'destructive',
      })
      showFieldErrors(error, ['email'], form.setError)
    },
  })
  const send = useOnce(ask.mutateAsync)
  useDocumentTitle(ask.isSuccess ? 'Check your email' : 'Forgot password')

  const loginHref = keep(paths.login.getHref())
  if (ask.isSuccess) {
    return (
      <AuthFrame
        isOutcome
        title="Check your email"
        subtitle="If the email exists, a password reset link has been sent. The link expires in 1 hour."
      >
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2">
          <ButtonLink to={loginHref} variant="ember" size="lg">
            Back to login
          </ButtonLink>
          <Button variant="ghost" size="lg" onClick={() => ask.reset()}>
            Use another email
          </Button>
        </Box>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
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
          error={errors.email?.message}
          {...form.register('email')}
        />
        <Button type="submit" variant="ember" size="lg" pending={ask.isPending} pendingLabel="Sending...">
          Send reset link
        </Button>
      </chakra.form>
      <Box as="p" marginTop="6" textAlign="center" color="muted">
        Remembered it? <TextLink to={loginHref}>Back to login</TextLink>
      </Box>
    </AuthFrame>
  )
}

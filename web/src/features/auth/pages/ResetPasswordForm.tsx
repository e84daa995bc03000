import { chakra } from '@chakra-ui/react'
import { ResetPasswordForm as Form, MessageResponse } from '@contract/auth.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { type FieldErrors, useForm } from 'react-hook-form'
import { ApiError, api } from '@/lib/api'
import { clearSessionIfEnded } from '@/session/session'
import { Button } from '@/ui/Button'
import { PasswordField } from '@/ui/Field'
import { toast } from '@/ui/toaster'
import { authErrorText } from '../auth-error-text'
import { useSubmitOnce } from '../auth-form'
import { showFieldErrors } from '../form-errors'

const fields = ['newPassword', 'confirmPassword'] as const

/** The new password, twice. `onSpent` is told the server's sentence when the link has been used up meanwhile. */
export function ResetPasswordForm({
  token,
  onDone,
  onSpent,
}: {
  token: string
  onDone: () => void
  onSpent: (message: string) => void
}) {
  const form = useForm({
    resolver: zodResolver(Form),
    defaultValues: { newPassword: '', confirmPassword: '' },
  })
  const { errors } = form.formState

  const reset = useMutation({
    mutationFn: async ({ newPassword }: { newPassword: string }) => {
      await api.post('/api/auth/reset-password', { token, newPassword }, MessageResponse)
      // Every session of the account ended with the old password, this browser's too if it was one of them.
      await clearSessionIfEnded()
    },
    onSuccess: () => {
      toast({ title: 'Password reset successful', description: 'Please sign in with your new password.' })
      onDone()
    },
    onError: (error) => {
      toast({
        title: 'Failed to reset password',
        description: authErrorText(error, 'Please try again.'),
        tone: 'destructive',
      })
      if (error instanceof ApiError && error.code === 'reset_token_invalid') onSpent(error.serverMessage)
      else showFieldErrors(error, fields, form.setError)
    },
  })
  const send = useSubmitOnce(reset.mutateAsync)

  const tellFirst = (wrong: FieldErrors<{ newPassword: string; confirmPassword: string }>) => {
    const first = fields.map((field) => wrong[field]?.message).find(Boolean)
    toast({ title: 'Validation Error', description: first, tone: 'destructive' })
  }
  return (
    <chakra.form
      noValidate
      aria-label="Reset password"
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      gap="5"
      onSubmit={form.handleSubmit(send, tellFirst)}
    >
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters"
        // The form takes the place of the check of the link.
        autoFocus
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button
        type="submit"
        variant="ember"
        size="lg"
        pending={reset.isPending}
        pendingLabel="Resetting password..."
      >
        Reset password
      </Button>
    </chakra.form>
  )
}

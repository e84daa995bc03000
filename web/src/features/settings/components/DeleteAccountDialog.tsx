import { Box, chakra } from '@chakra-ui/react'
import { DeleteAccountRequest } from '@contract/account.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { ApiError, errorMessage, fieldErrorText, inlineErrorMessage } from '@/lib/errors'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { PasswordField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import { ErrorText } from '@/ui/states'
import { useDeleteAccount } from '../api/account'

const List = chakra('ul', {
  base: { listStyleType: 'disc', paddingInlineStart: '5', display: 'grid', gap: '1' },
})

type Props = { userId: string; open: boolean; onClose: () => void; finalFocus: () => HTMLElement | null }

/** Explains account deletion, and asks for the password and, if needed, for consent to forfeit the balance. */
export function DeleteAccountDialog({ userId, open, onClose, finalFocus }: Props) {
  const formId = useId()
  const deletion = useDeleteAccount(userId)
  const close = () => {
    // A deletion in progress cannot be cancelled.
    if (deletion.isPending) return
    deletion.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Delete your account?`}
      description={t`You can't undo this.`}
      role="alertdialog"
      initialFocus={() => document.getElementById(formId)?.querySelector('input') ?? null}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={deletion.isPending}>
            {t`Cancel`}
          </Button>
          <Button
            variant="danger"
            type="submit"
            form={formId}
            pending={deletion.isPending}
            pendingLabel={t`Deleting…`}
          >
            {t`Delete my account`}
          </Button>
        </>
      }
    >
      <Box display="grid" gap="5">
        <DeletionEffects />
        <DeletionForm id={formId} deletion={deletion} />
      </Box>
    </Dialog>
  )
}

function DeletionEffects() {
  const minimumPayout = dollars(limits.minimumPayout)
  return (
    <Box display="grid" gap="3" textStyle="small">
      <div>
        <Box textStyle="label" marginBottom="1">
          {t`What we delete`}
        </Box>
        <List>
          <li>{t`Your profile, settings, photos, videos and gallery`}</li>
          <li>{t`Your posts with all their comments, including posts that others unlocked`}</li>
          <li>{t`Your likes, reposts, saves, follows, notifications and sessions`}</li>
          <li>{t`Your remaining balance, even if it’s below the ${minimumPayout} minimum payout`}</li>
          <li>{t`Your subscriptions and your subscribers. All of them end right away.`}</li>
        </List>
      </div>
      <div>
        <Box textStyle="label" marginBottom="1">
          {t`What stays, attributed to “Deleted user”`}
        </Box>
        <List>
          <li>{t`Your comments on other people’s posts and the messages you sent`}</li>
          <li>{t`Payment records, without your name`}</li>
        </List>
      </div>
    </Box>
  )
}

function DeletionForm({ id, deletion }: { id: string; deletion: ReturnType<typeof useDeleteAccount> }) {
  const { control, formState, register, setError, setFocus, handleSubmit } = useForm({
    resolver: zodResolver(DeleteAccountRequest),
    defaultValues: { password: '', giveUpBalance: false },
  })
  /** Set when an attempt fails because of the remaining balance. From then on, the message stays visible. */
  const [balanceMessage, setBalanceMessage] = useState<string | null>(null)
  const { error } = deletion
  const code = error instanceof ApiError ? error.code : undefined
  const fallback = t`Couldn't delete your account. Try again.`
  const formError =
    code !== 'invalid_credentials' && code !== 'balance_left' ? inlineErrorMessage(error, fallback) : null

  const submit = handleSubmit((request) => {
    if (deletion.isPending) return
    deletion.mutate(request, {
      onError: (error) => {
        if (!(error instanceof ApiError)) return
        if (error.code === 'balance_left') setBalanceMessage(errorMessage(error, fallback))
        if (error.code === 'invalid_credentials') {
          setError('password', { type: 'server', message: errorMessage(error, t`Incorrect password.`) })
          setTimeout(() => setFocus('password', { shouldSelect: true }), 50)
        }
      },
    })
  })

  return (
    <chakra.form id={id} noValidate onSubmit={submit} display="grid" gap="4">
      <PasswordField
        label={t`Password`}
        showLabel={t`Show password`}
        autoComplete="current-password"
        error={fieldErrorText(formState.errors.password)}
        {...register('password')}
      />
      {balanceMessage && (
        <Box role="alert" padding="4" bg="sunken" borderRadius="md">
          <Controller
            control={control}
            name="giveUpBalance"
            render={({ field }) => (
              <Switch
                label={t`Forfeit my balance`}
                hint={balanceMessage}
                checked={field.value === true}
                onChange={field.onChange}
              />
            )}
          />
        </Box>
      )}
      <ErrorText>{formError}</ErrorText>
    </chakra.form>
  )
}

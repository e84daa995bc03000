import { Box, chakra } from '@chakra-ui/react'
import {
  accessTokenLifetimes,
  CreateAccessTokenRequest,
  type CreatedAccessToken,
} from '@contract/access-token.ts'
import { limits } from '@contract/limits.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useId, useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { fieldErrorText, inlineErrorMessage, serverFieldErrors, showFieldErrors } from '@/lib/errors'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { copyText } from '@/ui/copy-text'
import { Dialog } from '@/ui/Dialog'
import { PasswordField, SelectField, TextField } from '@/ui/Field'
import { CheckboxField } from '@/ui/RadioGroup'
import { ErrorText } from '@/ui/states'
import { useCreateAccessToken } from '../api/access-tokens'
import { lifetimeLabel, scopeTexts } from './access-token-texts'

type Props = { open: boolean; onClose: () => void; finalFocus: () => HTMLElement | null }

/** Asks for the name, scopes and lifetime of an access token, and then shows its secret once. */
export function CreateAccessTokenDialog({ open, onClose, finalFocus }: Props) {
  const formId = useId()
  const create = useCreateAccessToken()
  const close = () => {
    // Closing the dialog now would discard the secret in the response.
    if (create.isPending) return
    create.reset()
    onClose()
  }
  if (create.data) {
    return <CreatedDialog created={create.data} open={open} onClose={close} finalFocus={finalFocus} />
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Create access token`}
      description={t`A token can never change your password, email address or payouts, spend money, or act as an admin.`}
      initialFocus={() => document.getElementById(formId)?.querySelector('input:not([hidden])') ?? null}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={create.isPending}>
            {t`Cancel`}
          </Button>
          <Button
            variant="ember"
            type="submit"
            form={formId}
            pending={create.isPending}
            pendingLabel={t`Creating…`}
          >
            {t`Create token`}
          </Button>
        </>
      }
    >
      <TokenForm id={formId} create={create} />
    </Dialog>
  )
}

const fields = ['name', 'currentPassword'] as const

function TokenForm({ id, create }: { id: string; create: ReturnType<typeof useCreateAccessToken> }) {
  const { user } = useCurrentUser()
  const { control, formState, register, setError, handleSubmit } = useForm({
    resolver: zodResolver(CreateAccessTokenRequest),
    defaultValues: { name: '', scopes: ['read'], expiresInDays: 30, currentPassword: '' },
  })
  const { errors } = formState
  const hasFieldError = Object.keys(serverFieldErrors(create.error)).length > 0
  const formError = hasFieldError
    ? null
    : inlineErrorMessage(create.error, t`Couldn't create the access token. Try again.`)

  const submit = handleSubmit((request) => {
    if (create.isPending) return
    create.mutate(request, {
      onError: (error) => showFieldErrors(error, fields, setError),
    })
  })
  return (
    <chakra.form id={id} noValidate onSubmit={submit} display="grid" gap="4">
      <TextField
        label={t`Name`}
        hint={t`What uses the token, for example “Weekly report”`}
        autoComplete="off"
        maxLength={limits.accessTokenName.max}
        dir="auto"
        error={fieldErrorText(errors.name)}
        {...register('name')}
      />
      <Controller
        control={control}
        name="scopes"
        render={({ field: { value, onChange } }) => (
          <Box as="fieldset" border="0" minWidth="0">
            <Box asChild textStyle="label" marginBottom="1">
              <legend>{t`What it can do`}</legend>
            </Box>
            {scopeTexts().map(({ scope, label, hint }) => (
              <CheckboxField
                key={scope}
                label={label}
                hint={hint}
                checked={value.includes(scope)}
                // Every token can read.
                disabled={scope === 'read'}
                onChange={(checked) =>
                  onChange(checked ? [...value, scope] : value.filter((other) => other !== scope))
                }
              />
            ))}
          </Box>
        )}
      />
      <Controller
        control={control}
        name="expiresInDays"
        render={({ field: { value, onChange } }) => (
          <SelectField
            label={t`Expires`}
            hint={value === null ? t`It works until you revoke it or change your password.` : undefined}
            value={String(value ?? 'never')}
            onChange={({ target }) => onChange(target.value === 'never' ? null : Number(target.value))}
          >
            {[...accessTokenLifetimes, null].map((days) => (
              <option key={days} value={days ?? 'never'}>
                {lifetimeLabel(days)}
              </option>
            ))}
          </SelectField>
        )}
      />
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField
        label={t`Your password`}
        showLabel={t`Show password`}
        autoComplete="current-password"
        error={fieldErrorText(errors.currentPassword)}
        {...register('currentPassword')}
      />
      <ErrorText>{formError}</ErrorText>
    </chakra.form>
  )
}

/** Shows the secret in a separate dialog, so that the focus moves into it and its text is announced. */
function CreatedDialog({ created, open, onClose, finalFocus }: Props & { created: CreatedAccessToken }) {
  const copyButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Access token created`}
      description={t`Copy it now and keep it safe. You won’t be able to see it again.`}
      initialFocus={() => copyButton.current}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t`Done`}
          </Button>
          <Button ref={copyButton} variant="ember" onClick={() => void copyText(created.token)}>
            {t`Copy token`}
          </Button>
        </>
      }
    >
      <TextField
        label={t`Access token`}
        value={created.token}
        readOnly
        fontFamily="mono"
        spellCheck={false}
        onFocus={({ target }) => target.select()}
      />
    </Dialog>
  )
}

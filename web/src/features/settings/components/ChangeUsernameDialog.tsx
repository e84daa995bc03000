import { Box, chakra } from '@chakra-ui/react'
import { accountFields } from '@contract/auth.ts'
import type { UsernameAvailability } from '@contract/settings.ts'
import type { OwnUser } from '@contract/user.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText, inlineErrorMessage, serverFieldErrors, showFieldErrors } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { TextField } from '@/ui/Field'
import { VisuallyHidden } from '@/ui/layout'
import { ErrorText } from '@/ui/states'
import { useDebounced } from '@/ui/useDebounced'
import { usernameQuery, useSaveProfile } from '../api/own-user'

/** Shows the current username and asks for a new one. */
export function ChangeUsernameDialog({
  user,
  open,
  onClose,
  finalFocus,
}: {
  user: OwnUser
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const formId = useId()
  const save = useSaveProfile({ onResponse: onClose, showsErrors: true })
  const close = () => {
    if (save.isPending) return
    save.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Change username`}
      description={t`Links to your profile will stop working, and other people can take your current username.`}
      initialFocus={() => document.getElementById(formId)?.querySelector('input') ?? null}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={close} disabled={save.isPending}>
            {t`Cancel`}
          </Button>
          <Button
            variant="ember"
            type="submit"
            form={formId}
            pending={save.isPending}
            pendingLabel={t`Saving…`}
          >
            {t`Save`}
          </Button>
        </>
      }
    >
      <UsernameForm id={formId} current={user.username} save={save} />
    </Dialog>
  )
}

const checkDelayMs = 400

const problemTexts: Record<NonNullable<UsernameAvailability['problem']>, MessageDescriptor> = {
  username_reserved: msg`This username is reserved`,
  username_taken: msg`Username is already taken`,
}

function UsernameForm({
  id,
  current,
  save,
}: {
  id: string
  current: string
  save: ReturnType<typeof useSaveProfile>
}) {
  const { control, formState, register, setError, handleSubmit } = useForm({
    resolver: zodResolver(z.object({ username: accountFields.username })),
    defaultValues: { username: '' },
  })
  const username = useWatch({ control, name: 'username' }).trim()
  const checked = useDebounced(username, checkDelayMs)
  const isOwn = username.toLowerCase() === current.toLowerCase()
  const isValid = accountFields.username.safeParse(username).success
  const canCheck = isValid && !isOwn && checked === username
  const { data: availability } = useQuery({ ...usernameQuery(checked), enabled: canCheck })
  const problem = (canCheck && availability?.problem) || undefined
  const problemText = problem && t(problemTexts[problem])
  const formErrorText = fieldErrorText(formState.errors.username)
  const fieldError = formErrorText || problemText
  const hasFieldError = Object.keys(serverFieldErrors(save.error)).length > 0
  const formError = hasFieldError
    ? null
    : inlineErrorMessage(save.error, t`Couldn't change your username. Try again.`)

  const saveUsername = handleSubmit((request) => {
    if (save.isPending) return
    if (request.username === current) {
      setError('username', { message: t`This is already your username.` })
      return
    }
    save.mutate(request, { onError: (error) => showFieldErrors(error, ['username'], setError) })
  })
  const submit = (event: FormEvent) => {
    // In React's tree, the dialog is inside the form of the profile, which would be submitted too.
    event.stopPropagation()
    void saveUsername(event)
  }
  return (
    <chakra.form id={id} noValidate onSubmit={submit} display="grid" gap="4">
      <div>
        <Box textStyle="label">{t`Current username`}</Box>
        <Box as="bdi" dir="ltr" display="block" overflowWrap="anywhere" marginTop="1">
          @{current}
        </Box>
      </div>
      <TextField
        label={t`New username`}
        // Users sign in with their email, so password managers must not store this as the username.
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={save.isPending}
        error={fieldError}
        hint={<ProfileAddress username={username} />}
        {...register('username')}
      />
      <Box role="status" textStyle="small" color="success.text" minHeight="5" marginTop="-2">
        {canCheck && availability && !fieldError && t`Available`}
        {/* The field shows the problem, but screen readers would not announce it there. */}
        {!formErrorText && problemText && <VisuallyHidden>{problemText}</VisuallyHidden>}
      </Box>
      <ErrorText>{formError}</ErrorText>
    </chakra.form>
  )
}

/** Shows the address of the profile with this username. */
export function ProfileAddress({ username }: { username: string }) {
  return (
    <Box as="bdi" dir="ltr" overflowWrap="anywhere">
      {window.location.host}
      {paths.profile.getHref(username)}
      {username === '' && '/…'}
    </Box>
  )
}

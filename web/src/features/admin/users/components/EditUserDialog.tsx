import { chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import type { ErrorCode } from '@contract/errors.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError, translateServerText } from '@/lib/api'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { toast } from '@/ui/toaster'
import { firstErrorMessage, firstFieldErrors } from '../../validation-errors'
import { useSaveUserProfile } from '../api'
import { changedFields, type FieldName, type UserFormValues, userFormValues, validateChanges } from '../model'
import type { UserDialogProps } from './UserDialogs'
import { AboutFields, AccountFields, LinkFields, PrivacyFields } from './UserFormFields'
import { UserImageFields } from './UserImageFields'

/** Shows the form for a user's profile. Asks before it discards unsaved changes. */
export function EditUserDialog({ user, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const formElement = useRef<HTMLFormElement>(null)
  const form = useUserForm(user)
  const name = <bdi>{displayName(user)}</bdi>
  const { username } = user
  const [isUploading, setUploading] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  /** Both dialogs close together, so the focus returns to the form dialog's final focus target. */
  const isClosing = useRef(false)
  const guard = useLeaveGuard(open && form.isDirty)
  const close = () => {
    if (form.isSaving) return
    if (form.isDirty) setConfirming(true)
    else onClose()
  }
  const stay = () => {
    setConfirming(false)
    guard.stay()
  }
  const save = async () => {
    if (await form.save()) {
      isClosing.current = true
      setConfirming(false)
      onClose()
      return
    }
    stay()
    // Waits until the confirmation, if it was open, has returned the focus.
    setTimeout(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 50)
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => formElement.current?.querySelector('input:not([type=file])') ?? null}
        title={t`Edit Profile`}
        description={
          <Trans>
            The profile of {name} (@{username}).
          </Trans>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={form.isSaving}>
              {t`Cancel`}
            </Button>
            <Button
              variant="ember"
              type="submit"
              form={id}
              disabled={isUploading}
              pending={form.isSaving}
              pendingLabel={t`Saving…`}
            >
              {t`Save changes`}
            </Button>
          </>
        }
      >
        <chakra.form
          ref={formElement}
          id={id}
          noValidate
          display="grid"
          gap="7"
          paddingBlock="2"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <UserImageFields form={form} name={displayName(user)} onUploading={setUploading} />
          <AccountFields form={form} />
          <PrivacyFields form={form} />
          <AboutFields form={form} />
          <LinkFields form={form} />
        </chakra.form>
      </Dialog>
      <LeaveDialog
        open={open && (isConfirming || guard.isBlocked)}
        title={t`Save changes?`}
        text={t`Your changes to this profile haven't been saved.`}
        stayLabel={t`Keep editing`}
        saveLabel={t`Save`}
        pending={form.isSaving}
        onStay={stay}
        finalFocus={() => (isClosing.current ? finalFocus() : null)}
        onDiscard={() => {
          isClosing.current = true
          guard.leave()
          setConfirming(false)
          onClose()
        }}
        onSave={() => void save()}
      />
    </>
  )
}

/** Holds the form for a user's profile. */
function useUserForm(user: AdminUser) {
  const [initialValues] = useState(() => userFormValues(user))
  const [values, setValues] = useState(initialValues)
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const saveProfile = useSaveUserProfile(user)
  return {
    values,
    errors,
    isDirty: changedFields(values, initialValues).length > 0,
    isSaving: saveProfile.isPending,
    set: <Name extends FieldName>(name: Name, value: UserFormValues[Name]) => {
      setValues((previous) => ({ ...previous, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    },
    /** Saves the changes. Returns false after an error, which is shown in a toast and at its field. */
    save: async (): Promise<boolean> => {
      if (saveProfile.isPending) return false
      const { data, error } = validateChanges(values, initialValues)
      // The caller moves the focus to the first invalid field, which must be marked by then.
      flushSync(() => setErrors(firstFieldErrors(error)))
      if (!data) {
        toast({
          title: t`Validation Error`,
          description: firstErrorMessage(error),
          tone: 'destructive',
        })
        return false
      }
      try {
        await saveProfile.mutateAsync(data)
        return true
      } catch (apiError) {
        if (apiError instanceof ApiError) flushSync(() => setErrors(serverFieldErrors(apiError)))
        return false
      }
    },
  }
}

/** The fields that these error codes are about. */
const errorCodeFields: Partial<Record<ErrorCode, FieldName>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** Returns the errors of single fields in a response. */
function serverFieldErrors({ code, serverMessage, errors }: ApiError): Partial<Record<string, string>> {
  const fieldErrors = Object.fromEntries(
    Object.entries(errors).map(([name, [message]]) => [name, message && translateServerText(message)]),
  )
  const field = code && errorCodeFields[code]
  return field ? { [field]: translateServerText(serverMessage), ...fieldErrors } : fieldErrors
}

export type UserForm = ReturnType<typeof useUserForm>

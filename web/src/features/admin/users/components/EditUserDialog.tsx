import { chakra } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { fieldErrorText, showFieldErrors } from '@/lib/errors'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/DiscardDialog'
import { toast } from '@/ui/toaster'
import { useSaveUserProfile } from '../api'
import { fieldNames, profileForm, type TextName, userFormValues } from '../model'
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
  /** True while the form dialog and the confirmation close together. The focus then returns to `finalFocus`. */
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
    // If the confirmation was open, it restores the focus when it closes, so this code has to run later.
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
              disabled={isUploading || !form.isDirty}
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

/** Returns the form for a user's profile. */
function useUserForm(user: AdminUser) {
  const [initialValues] = useState(() => userFormValues(user))
  const {
    control,
    register,
    handleSubmit,
    clearErrors,
    setError,
    formState: { errors, isDirty },
  } = useForm({
    resolver: zodResolver(profileForm(initialValues)),
    defaultValues: initialValues,
    reValidateMode: 'onSubmit',
    // The dialog moves the focus itself, because an open confirmation must close first.
    shouldFocusError: false,
  })
  const saveProfile = useSaveUserProfile(user)
  return {
    control,
    isDirty,
    isSaving: saveProfile.isPending,
    /** Returns the props of a text field or select field. */
    field: (name: TextName) => ({
      ...register(name, { onChange: () => clearErrors(name) }),
      error: fieldErrorText(errors[name]),
    }),
    /** Saves the changes. Returns false after an error, which is shown in a toast and next to its field. */
    save: async (): Promise<boolean> => {
      if (saveProfile.isPending) return false
      let isSaved = false
      const submit = handleSubmit(
        async (changes) => {
          try {
            await saveProfile.mutateAsync(changes)
            isSaved = true
          } catch (error) {
            showFieldErrors(error, fieldNames, setError)
          }
        },
        (invalidFields) => {
          const [firstName] = Object.keys(invalidFields)
          const field = fieldNames.find((name) => name === firstName)
          toast({
            title: t`Validation Error`,
            description: field && fieldErrorText(invalidFields[field]),
            tone: 'destructive',
          })
        },
      )
      await submit()
      return isSaved
    },
  }
}

export type UserForm = ReturnType<typeof useUserForm>

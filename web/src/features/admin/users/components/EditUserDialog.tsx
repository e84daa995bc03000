import { chakra } from '@chakra-ui/react'
import { useId, useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/LeaveDialog'
import { AboutFields, LinkFields } from './AboutFields'
import { AccountFields, PrivacyFields } from './AccountFields'
import type { UserDialogProps } from './UserDialogs'
import { UserImageFields } from './UserImageFields'
import { useUserForm } from './useUserForm'

/** Somebody's whole profile, as an admin may change it. What is not saved is asked about before it goes. */
export function EditUserDialog({ person, open, onClose, finalFocus }: UserDialogProps) {
  const id = useId()
  const body = useRef<HTMLFormElement>(null)
  const form = useUserForm(person)
  const [isUploading, setUploading] = useState(false)
  const [asking, setAsking] = useState(false)
  /** The question goes together with the form, so that the focus goes where the form's goes. */
  const leaving = useRef(false)
  const guard = useLeaveGuard(open && form.isDirty)
  const close = () => {
    if (form.isSaving) return
    if (form.isDirty) setAsking(true)
    else onClose()
  }
  const stay = () => {
    setAsking(false)
    guard.stay()
  }
  const save = async () => {
    if (await form.save()) {
      leaving.current = true
      setAsking(false)
      onClose()
      return
    }
    stay()
    // Once the question, if there was one, has given the focus back.
    setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 50)
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => body.current?.querySelector('input:not([type=file])') ?? null}
        title="Edit Profile"
        description={
          <>
            The profile of <bdi>{displayName(person)}</bdi> (@{person.username}).
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={form.isSaving}>
              Cancel
            </Button>
            <Button
              variant="ember"
              type="submit"
              form={id}
              disabled={isUploading}
              pending={form.isSaving}
              pendingLabel="Saving…"
            >
              Save changes
            </Button>
          </>
        }
      >
        <chakra.form
          ref={body}
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
          <UserImageFields form={form} name={displayName(person)} onUploading={setUploading} />
          <AccountFields form={form} />
          <PrivacyFields form={form} />
          <AboutFields form={form} />
          <LinkFields form={form} />
        </chakra.form>
      </Dialog>
      <LeaveDialog
        open={open && (asking || guard.asking)}
        title="Save the changes?"
        text="You changed this profile and have not saved it yet."
        stayLabel="Keep editing"
        saveLabel="Save"
        pending={form.isSaving}
        onStay={stay}
        finalFocus={() => (leaving.current ? finalFocus() : null)}
        onDiscard={() => {
          leaving.current = true
          guard.leave()
          setAsking(false)
          onClose()
        }}
        onSave={() => void save()}
      />
    </>
  )
}

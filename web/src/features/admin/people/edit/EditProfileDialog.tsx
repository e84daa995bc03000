import { chakra } from '@chakra-ui/react'
import { useId, useRef, useState } from 'react'
import { displayName } from '@/lib/person'
import { useLeaveGuard } from '@/lib/useLeaveGuard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { LeaveDialog } from '@/ui/LeaveDialog'
import type { DialogProps } from '../dialogs/PeopleDialogs'
import { AboutFields, LinkFields } from './AboutFields'
import { AccountFields, PrivacyFields } from './AccountFields'
import { ImageFields } from './ImageFields'
import { useEditForm } from './useEditForm'

/** Somebody's whole profile, as an admin may change it. What is not saved is asked about before it goes. */
export function EditProfileDialog({ person, open, onClose, finalFocus }: DialogProps) {
  const id = useId()
  const body = useRef<HTMLFormElement>(null)
  const form = useEditForm(person)
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
          <ImageFields form={form} name={displayName(person)} onUploading={setUploading} />
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

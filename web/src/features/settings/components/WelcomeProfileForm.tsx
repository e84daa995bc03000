import { chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { ProfileBioField } from './ProfileFields'
import { ProfileFormProvider, ProfileImageProvider, useProfileForm } from './ProfileFormProvider'
import { AvatarField } from './ProfileImages'

const Form = chakra('form', { base: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '6' } })

/**
 * Shows the profile fields that the user fills in after registration: the photo, which is saved as soon as it is
 * cropped, and the bio. What the user types is stored in the browser, like any draft of the profile form. Unsaved
 * changes to the fields that are not shown here stay in that draft.
 *
 * @param onSaved called when a submitted form has been saved or had no changes to save
 */
export function WelcomeProfileForm({
  user,
  formId,
  onSaved,
}: {
  user: OwnUser
  formId: string
  onSaved: () => void
}) {
  return (
    <ProfileFormProvider user={user}>
      <ProfileImageProvider>
        <IntroductionForm user={user} formId={formId} onSaved={onSaved} />
      </ProfileImageProvider>
    </ProfileFormProvider>
  )
}

function IntroductionForm({ user, formId, onSaved }: { user: OwnUser; formId: string; onSaved: () => void }) {
  const { saveField } = useProfileForm()
  const submit = async () => {
    if (await saveField('bio')) onSaved()
  }
  return (
    <Form
      id={formId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <AvatarField user={user} />
      <ProfileBioField />
    </Form>
  )
}

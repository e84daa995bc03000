import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { TextareaField } from '@/ui/Field'
import { FieldGrid, FormSection, FormSwitch, FormTextField } from './UserFormFields'
import type { UserForm } from './useUserForm'

/** What an account is known by, and what its owner says of themselves. */
export function AccountFields({ form }: { form: UserForm }) {
  const { length } = [...form.values.bio]
  return (
    <FormSection title="Account">
      <FieldGrid>
        <FormTextField form={form} name="fullName" label="Full name" dir="auto" />
        <FormTextField
          form={form}
          name="username"
          label="Username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormTextField
          form={form}
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          hint="Another one counts at once."
        />
        <FormTextField form={form} name="phoneNumber" label="Phone number" type="tel" inputMode="tel" />
        <Box gridColumn="1 / -1">
          <TextareaField
            label="Bio"
            name="bio"
            dir="auto"
            value={form.values.bio}
            error={form.problems.bio}
            readOnly={form.isSaving}
            onChange={({ target }) => form.set('bio', target.value)}
            aside={
              <Box
                textStyle="small"
                fontVariantNumeric="tabular-nums"
                color={length > limits.bio.max ? 'danger.text' : 'muted'}
              >
                {length}/{limits.bio.max} characters
              </Box>
            }
          />
        </Box>
      </FieldGrid>
    </FormSection>
  )
}

/** Who sees what of an account, beside its profile's own fields. */
export function PrivacyFields({ form }: { form: UserForm }) {
  return (
    <FormSection title="Privacy">
      <Box display="grid" gap="3">
        <FormSwitch
          form={form}
          name="allowDirectMessages"
          label="Allow direct messages"
          hint="Others may write to them."
        />
        <FormSwitch
          form={form}
          name="showFollowerCount"
          label="Show follower count"
          hint="Others see how many follow them."
        />
        <FormSwitch
          form={form}
          name="showProfileInDirectory"
          label="Show profile in directory"
          hint="They are found in Top Users and by search."
        />
        <FormSwitch
          form={form}
          name="makeProfileDiscoverable"
          label="Make profile discoverable"
          hint="Their posts are in Discover, and they may be featured."
        />
      </Box>
    </FormSection>
  )
}

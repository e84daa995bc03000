import { Box } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { imageTypes } from '@/uploads/profile-image'
import { FormSection } from './UserFormFields'
import type { UserForm } from './useUserForm'
import { useUserImageUpload } from './useUserImageUpload'

/** The picture and the cover of a profile. What is chosen is uploaded at once, and theirs when the form is saved. */
export function UserImageFields({
  form,
  name,
  onUploading,
}: {
  form: UserForm
  name: string
  /** Told while a picture is on its way: the form waits for it. */
  onUploading: (isUploading: boolean) => void
}) {
  const { profileImageUrl, backgroundImageUrl } = form.values
  const photo = useUserImageUpload('profile', (url) => form.set('profileImageUrl', url))
  const cover = useUserImageUpload('background', (url) => form.set('backgroundImageUrl', url))
  const isUploading = photo.isUploading || cover.isUploading
  useEffect(() => onUploading(isUploading), [isUploading, onUploading])
  return (
    <FormSection title="Images">
      <Box display="grid" gap="4">
        <Line
          label="Profile image"
          picture={<Avatar person={{ displayName: name, profileImageUrl }} size="lg" />}
          isUploading={photo.isUploading}
          onFile={photo.upload}
          onRemove={profileImageUrl === null ? undefined : () => form.set('profileImageUrl', null)}
        />
        <Line
          label="Background image"
          picture={
            <CoverImage
              url={backgroundImageUrl}
              width="7rem"
              height="4rem"
              borderRadius="md"
              borderWidth="1px"
            />
          }
          isUploading={cover.isUploading}
          onFile={cover.upload}
          onRemove={backgroundImageUrl === null ? undefined : () => form.set('backgroundImageUrl', null)}
        />
      </Box>
    </FormSection>
  )
}

function Line({
  label,
  picture,
  isUploading,
  onFile,
  onRemove,
}: {
  label: string
  picture: ReactNode
  isUploading: boolean
  onFile: (file: File) => void
  /** Undefined: there is none to remove. */
  onRemove: (() => void) | undefined
}) {
  const what = label.toLowerCase()
  return (
    <Box display="flex" alignItems="center" gap="4">
      <Box width="7rem" flexShrink="0" display="grid" placeItems="center">
        {picture}
      </Box>
      <Box display="flex" flexWrap="wrap" gap="2">
        <Box textStyle="label" width="100%">
          {label}
        </Box>
        <FileButton
          accept={imageTypes}
          onFile={onFile}
          variant="outline"
          size="sm"
          aria-label={`Change ${what}`}
          pending={isUploading}
          pendingLabel="Uploading…"
        >
          Change
        </FileButton>
        {onRemove && (
          <Button variant="ghost" size="sm" aria-label={`Remove ${what}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </Box>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { checkProfilePhoto, imageTypes, profileImageToasts, showImageError } from '@/uploads/profile-image'
import { useProfileImageUpload } from '@/uploads/useProfileImageUpload'
import { useRestoreFocus } from '../focus'
import { useAvatarDraft, useCoverImageDraft } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Shows the user's profile photo and cover image with the controls to change them. */
export function ProfileImages() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <SettingsSection title="Photos" text="Everybody sees your photo; your background stands on your profile.">
      <AvatarField user={user} />
      <CoverImageField url={user.backgroundImageUrl} />
    </SettingsSection>
  )
}

const CropDialog = lazy(() => import('@/uploads/components/CropDialog'))

/** Shows the profile photo with controls to choose, crop, upload and remove it. */
function AvatarField({ user }: { user: OwnUser }) {
  const { upload, stop, remove, percent, isUploading, isRemoving } = useProfileImageUpload('profile')
  const { photo, choosePhoto } = useAvatarDraft()
  const changeButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isRemoving, () => removeButton.current ?? changeButton.current)

  const validateAndChoose = async (file: File) => {
    try {
      await checkProfilePhoto(file)
      choosePhoto(file)
    } catch (error) {
      showImageError(error, profileImageToasts.profile.uploadFailed)
    }
  }
  const send = async (croppedPhoto: File) => {
    if (await upload(croppedPhoto)) choosePhoto(null)
  }

  return (
    <ProfileImageRow
      title="Profile photo"
      hint="JPG, PNG or GIF, up to 5 MB. You choose which part of it shows."
      image={
        <Avatar user={{ ...user, displayName: displayName(user) }} size="xl" label="Your profile photo" />
      }
    >
      <FileButton
        ref={changeButton}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void validateAndChoose(file)}
        disabled={isUploading || isRemoving}
      >
        Change photo
      </FileButton>
      {user.profileImageUrl && (
        <Button
          ref={removeButton}
          size="sm"
          variant="outline"
          onClick={remove}
          pending={isRemoving}
          disabled={isUploading}
        >
          Remove
        </Button>
      )}
      {photo && (
        <Suspense>
          <CropDialog
            file={photo}
            onDone={(croppedPhoto) => void send(croppedPhoto)}
            onClose={() => {
              stop()
              choosePhoto(null)
            }}
            percent={percent}
          />
        </Suspense>
      )}
    </ProfileImageRow>
  )
}

/** Shows the cover image with controls to choose, preview, upload and remove it. */
function CoverImageField({ url }: { url: string | null }) {
  const draft = useCoverImageDraft()
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const changeButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isUploading || isRemoving, () => removeButton.current ?? changeButton.current)
  return (
    <ProfileImageRow
      title="Background image"
      hint={
        previewUrl
          ? 'This is how it will look. Others see it once you upload it.'
          : 'JPG, PNG or GIF, up to 5 MB. It shows at the top of your profile.'
      }
      stacked
      image={
        <CoverImage
          url={previewUrl ?? url}
          aspectRatio="3"
          borderRadius="md"
          borderWidth="1px"
          role="img"
          aria-label={previewUrl ? 'Preview of your background image' : 'Your background image'}
        />
      }
    >
      {previewUrl && (
        <Button
          size="sm"
          variant="ember"
          onClick={() => void draft.send()}
          pending={isUploading}
          disabled={isPreparing}
          pendingLabel={percent !== null && percent < 100 ? `Uploading ${percent}%` : 'Almost done…'}
        >
          Upload
        </Button>
      )}
      {previewUrl && (
        <Button size="sm" variant="outline" onClick={draft.cancel}>
          Cancel
        </Button>
      )}
      <FileButton
        ref={changeButton}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void draft.choose(file)}
        pending={isPreparing}
        pendingLabel="Preparing…"
        disabled={isUploading || isRemoving}
      >
        {previewUrl ? 'Choose another' : 'Change background'}
      </FileButton>
      {!previewUrl && url && (
        <Button
          ref={removeButton}
          size="sm"
          variant="outline"
          onClick={draft.remove}
          pending={isRemoving}
          disabled={isPreparing}
        >
          Remove
        </Button>
      )}
    </ProfileImageRow>
  )
}

/** Shows an image with its title, a hint and its buttons. */
function ProfileImageRow({
  title,
  hint,
  image,
  stacked = false,
  children,
}: {
  title: string
  hint: string
  image: ReactNode
  /** Shows the image above the text at full width. */
  stacked?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <Box
      role="group"
      aria-labelledby={id}
      display="flex"
      flexDirection={stacked ? 'column' : 'row'}
      alignItems={stacked ? 'stretch' : 'center'}
      gap={stacked ? '3' : { base: '4', md: '6' }}
    >
      {image}
      <Box minWidth="0">
        <Box id={id} textStyle="label">
          {title}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {hint}
        </Box>
        <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
          {children}
        </Box>
      </Box>
    </Box>
  )
}

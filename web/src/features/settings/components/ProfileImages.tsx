import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { numberFormat } from '@/lib/format'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { useRestoreFocus } from '@/ui/restore-focus'
import { checkProfilePhoto, imageTypes, profileImageToasts, showImageError } from '@/uploads/profile-image'
import { useProfileImageUpload } from '@/uploads/useProfileImageUpload'
import { useAvatarDraft, useCoverImageDraft } from './ProfileFormProvider'
import { SettingsSection } from './SettingsSection'

/** Shows the user's profile photo and cover image with the controls to change them. */
export function ProfileImages() {
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <SettingsSection
      title={t`Photos`}
      text={t`Your photo appears next to everything you post. Your background appears on your profile.`}
    >
      <AvatarField user={user} />
      <CoverImageField url={user.backgroundImageUrl} />
    </SettingsSection>
  )
}

const CropDialog = lazy(() => import('@/uploads/components/CropDialog'))

/** Shows the profile photo with controls to choose, crop, upload and remove it. */
export function AvatarField({ user }: { user: OwnUser }) {
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
      showImageError(error, profileImageToasts('profile').uploadFailed)
    }
  }
  const send = async (croppedPhoto: File) => {
    if (await upload(croppedPhoto)) choosePhoto(null)
  }

  return (
    <ProfileImageRow
      title={t`Profile photo`}
      hint={t`JPG, PNG or GIF, up to 5 MB. You can crop it.`}
      image={
        <Avatar user={{ ...user, displayName: displayName(user) }} size="xl" label={t`Your profile photo`} />
      }
    >
      <FileButton
        ref={changeButton}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void validateAndChoose(file)}
        disabled={isUploading || isRemoving}
      >
        {t`Change photo`}
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
          {t`Remove`}
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
  const progress =
    percent !== null && percent < 100 && numberFormat({ style: 'percent' }).format(percent / 100)
  const changeButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isUploading || isRemoving, () => removeButton.current ?? changeButton.current)
  return (
    <ProfileImageRow
      title={t`Background image`}
      hint={
        previewUrl
          ? t`Preview. Others will see it once you upload it.`
          : t`JPG, PNG or GIF, up to 5 MB. Appears at the top of your profile.`
      }
      isWide
      image={
        <CoverImage
          url={previewUrl ?? url}
          aspectRatio="3"
          width={{ md: '20rem' }}
          borderRadius="md"
          borderWidth="1px"
          role="img"
          aria-label={previewUrl ? t`Preview of your background image` : t`Your background image`}
        />
      }
    >
      {previewUrl && (
        <Button
          size="sm"
          variant="tinted"
          onClick={() => void draft.send()}
          pending={isUploading}
          disabled={isPreparing}
          pendingLabel={progress ? t`Uploading ${progress}` : t`Almost done…`}
        >
          {t`Upload`}
        </Button>
      )}
      {previewUrl && (
        <Button size="sm" variant="outline" onClick={draft.cancel}>
          {t`Cancel`}
        </Button>
      )}
      <FileButton
        ref={changeButton}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void draft.choose(file)}
        pending={isPreparing}
        pendingLabel={t`Preparing…`}
        disabled={isUploading || isRemoving}
      >
        {previewUrl ? t`Choose another` : t`Change background`}
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
          {t`Remove`}
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
  isWide = false,
  children,
}: {
  title: string
  hint: string
  image: ReactNode
  /** On phones, shows the image above the text instead of beside it. */
  isWide?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <Box
      role="group"
      aria-labelledby={id}
      display="flex"
      flexDirection={isWide ? { base: 'column', md: 'row' } : 'row'}
      alignItems={isWide ? { base: 'stretch', md: 'center' } : 'center'}
      gap={{ base: isWide ? '3' : '4', md: '6' }}
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

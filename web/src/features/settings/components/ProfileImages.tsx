import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type ComponentProps, lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { numberFormat } from '@/lib/format'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { CameraIcon } from '@/ui/icons'
import { Card, VisuallyHidden } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { userTextLine } from '@/ui/UserText'
import { checkProfilePhoto, imageTypes, profileImageToasts, showImageError } from '@/uploads/profile-image'
import { useProfileImageUpload } from '@/uploads/useProfileImageUpload'
import { useAvatarDraft, useCoverImageDraft, useProfileFields } from './ProfileFormProvider'

/** Shows the top of the user's profile, with the controls to change the profile photo and the cover image. */
export function ProfileImages() {
  const id = useId()
  const { user } = useCurrentUser()
  if (!user) return null
  return (
    <Banner as="section" aria-labelledby={id}>
      <VisuallyHidden as="h2" id={id}>
        {t`Photos`}
      </VisuallyHidden>
      <AvatarField user={user} isInBanner />
      <NamePreview />
      <CoverImageField url={user.backgroundImageUrl} />
    </Banner>
  )
}

/** Lays out the images and the name as on the profile, where the avatar overlaps the cover. The controls are below. */
const Banner = chakra(Card, {
  base: {
    position: 'relative',
    overflow: 'hidden',
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: '8.25rem minmax(0, 1fr) minmax(0, 1.66fr)' },
    columnGap: '4',
    rowGap: { base: '5', md: '4' },
    paddingBottom: '4',
  },
})

/** Shows the names in the form as others will see them, while the user edits them. */
function NamePreview() {
  const { control } = useProfileFields()
  const [firstName, lastName, fullName, username] = useWatch({
    control,
    name: ['firstName', 'lastName', 'fullName', 'username'],
  })
  return (
    <Box
      role="group"
      aria-label={t`Preview`}
      gridColumn={{ base: '1', md: '2 / -1' }}
      gridRow="2"
      minWidth="0"
      paddingTop={{ base: '6', md: '0' }}
      paddingInlineStart={textInset}
      paddingInlineEnd="4"
    >
      <Box textStyle="heading" fontSize="xl" truncate {...userTextLine}>
        {displayName({ firstName, lastName, fullName, username })}
      </Box>
      <Box textStyle="small" color="muted" truncate>
        <bdi dir="ltr">@{username.trim()}</bdi>
      </Box>
    </Box>
  )
}

const CropDialog = lazy(() => import('@/uploads/components/CropDialog'))

/**
 * Shows the profile photo with controls to choose, crop, upload and remove it.
 *
 * @param isInBanner whether the parent is a `Banner`
 */
export function AvatarField({ user, isInBanner = false }: { user: OwnUser; isInBanner?: boolean }) {
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
    <ProfileImage
      title={t`Profile photo`}
      hint={t`JPG, PNG or GIF, up to 5 MB.`}
      place={isInBanner ? 'avatar' : 'row'}
      image={
        <Avatar user={{ ...user, displayName: displayName(user) }} size="xl" label={t`Your profile photo`} />
      }
    >
      <ChangeButton
        ref={changeButton}
        label={t`Change photo`}
        onFile={(file) => void validateAndChoose(file)}
        disabled={isUploading || isRemoving}
      />
      {user.profileImageUrl && (
        <Button
          ref={removeButton}
          size="sm"
          variant="ghost"
          paddingInline="2"
          color="muted"
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
    </ProfileImage>
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
    <ProfileImage
      title={t`Background image`}
      hint={previewUrl ? t`Preview. Others will see it once you upload it.` : t`JPG, PNG or GIF, up to 5 MB.`}
      place="cover"
      image={
        <CoverImage
          url={previewUrl ?? url}
          height="6.5rem"
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
      <ChangeButton
        ref={changeButton}
        label={previewUrl ? t`Choose another` : t`Change background`}
        onFile={(file) => void draft.choose(file)}
        pending={isPreparing}
        disabled={isUploading || isRemoving}
      />
      {previewUrl && (
        <Button size="sm" variant="ghost" paddingInline="2" color="muted" onClick={draft.cancel}>
          {t`Cancel`}
        </Button>
      )}
      {!previewUrl && url && (
        <Button
          ref={removeButton}
          size="sm"
          variant="ghost"
          paddingInline="2"
          color="muted"
          onClick={draft.remove}
          pending={isRemoving}
          disabled={isPreparing}
        >
          {t`Remove`}
        </Button>
      )}
    </ProfileImage>
  )
}

/** Shows a button that opens the file picker. */
function ChangeButton({
  label,
  ...button
}: { label: string } & Omit<ComponentProps<typeof FileButton>, 'accept' | 'children'>) {
  return (
    <FileButton accept={imageTypes} size="sm" paddingInline="3" {...button}>
      <CameraIcon />
      {label}
    </FileButton>
  )
}

const textInset = { base: '4', md: '0' }

/** The styles of an image, and of the texts and buttons that belong to it. */
const places = {
  /** The image beside its text. */
  row: { group: { display: 'flex', alignItems: 'center', gap: { base: '4', md: '6' } }, image: {}, text: {} },
  avatar: {
    group: { display: 'contents' },
    image: {
      gridColumn: '1',
      gridRow: '1',
      zIndex: 'raised',
      alignSelf: 'end',
      justifySelf: 'start',
      display: 'flex',
      marginInlineStart: { base: '3', md: '5' },
      marginBottom: { base: '-10', md: '-16' },
      borderWidth: '4px',
      borderColor: 'surface',
      borderRadius: 'full',
      bg: 'surface',
    },
    text: {
      gridColumn: { md: '1 / 3' },
      gridRow: '3',
      paddingInlineStart: { base: '4', md: '6' },
      paddingInlineEnd: textInset,
    },
  },
  cover: {
    group: { display: 'contents' },
    image: { gridColumn: '1 / -1', gridRow: '1' },
    text: {
      gridColumn: { md: '3' },
      gridRow: { base: '4', md: '3' },
      paddingInlineStart: textInset,
      paddingInlineEnd: '4',
    },
  },
} as const

/** Shows an image with its title, a hint and its buttons. */
function ProfileImage({
  title,
  hint,
  image,
  place,
  children,
}: {
  title: string
  hint: string
  image: ReactNode
  place: keyof typeof places
  children: ReactNode
}) {
  const id = useId()
  const styles = places[place]
  return (
    <Box role="group" aria-labelledby={id} {...styles.group}>
      <Box position="relative" flexShrink="0" {...styles.image}>
        {image}
      </Box>
      <Box minWidth="0" {...styles.text}>
        <Box id={id} textStyle="label">
          {title}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5" textWrap="pretty">
          {hint}
        </Box>
        <Box display="flex" flexWrap="wrap" gap="1" marginTop="2.5">
          {children}
        </Box>
      </Box>
    </Box>
  )
}

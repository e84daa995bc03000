import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useId, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { formatPercent } from '@/lib/format'
import { displayName } from '@/lib/text'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { Button, type ButtonProps } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton, imageTypes } from '@/ui/FileButton'
import { CameraIcon, TrashIcon } from '@/ui/icons'
import { Card, VisuallyHidden } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { userTextLine } from '@/ui/UserText'
import { usePhotoCrop } from '@/uploads/components/usePhotoCrop'
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
      <CoverImageField url={user.backgroundImageUrl} />
      <AvatarField user={user} isInBanner />
      <NamePreview username={user.username} />
    </Banner>
  )
}

/**
 * Lays out the images and the name as on the profile, where the avatar overlaps the cover. The buttons are on the
 * images.
 */
const Banner = chakra(Card, {
  base: {
    position: 'relative',
    overflow: 'hidden',
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    alignItems: 'center',
    columnGap: '4',
    paddingBottom: '3',
  },
})

/** Shows the names in the form as others will see them, while the user edits them. */
function NamePreview({ username }: { username: string }) {
  const { control } = useProfileFields()
  const [firstName, lastName, fullName] = useWatch({ control, name: ['firstName', 'lastName', 'fullName'] })
  return (
    <Box role="group" aria-label={t`Preview`} minWidth="0" paddingTop="2" paddingInlineEnd="4">
      <Box textStyle="heading" fontSize="xl" truncate {...userTextLine}>
        {displayName({ firstName, lastName, fullName, username })}
      </Box>
      <Box textStyle="small" color="muted" truncate>
        <bdi dir="ltr">@{username}</bdi>
      </Box>
    </Box>
  )
}

/**
 * Shows the profile photo with controls to choose, crop, upload and remove it.
 *
 * @param isInBanner whether the parent is a `Banner`
 */
export function AvatarField({ user, isInBanner = false }: { user: OwnUser; isInBanner?: boolean }) {
  const { photo, choosePhoto } = useAvatarDraft()
  const { choose, remove, isUploading, isRemoving, dialog } = usePhotoCrop(photo, choosePhoto)
  const changeButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isRemoving, () => removeButton.current ?? changeButton.current)

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
        iconOnly={isInBanner}
        onFile={(file) => void choose(file)}
        disabled={isUploading || isRemoving}
        {...(isInBanner && { ...badge, insetEnd: '-1' })}
      />
      {user.profileImageUrl && (
        <RemoveButton
          ref={removeButton}
          iconOnly={isInBanner}
          onClick={remove}
          pending={isRemoving}
          disabled={isUploading}
          {...(isInBanner && { ...badge, insetStart: '-1' })}
        />
      )}
      {dialog}
    </ProfileImage>
  )
}

/** Shows the cover image with controls to choose, preview, upload and remove it. */
function CoverImageField({ url }: { url: string | null }) {
  const draft = useCoverImageDraft()
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const progress = percent !== null && percent < 100 && formatPercent(percent)
  const changeButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  useRestoreFocus(isUploading || isRemoving, () => removeButton.current ?? changeButton.current)
  return (
    <ProfileImage
      title={t`Background image`}
      hint={t`JPG, PNG or GIF, up to 5 MB.`}
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
        <Box
          bg="glass"
          borderRadius="md"
          paddingInline="3"
          paddingBlock="2"
          marginInlineEnd="auto"
          textStyle="caption"
        >
          {t`Preview. Others will see it once you upload it.`}
        </Box>
      )}
      {previewUrl && (
        <Button
          size="sm"
          variant="ember"
          boxShadow="mid"
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
        bg="glass"
      />
      {previewUrl && (
        <Button size="sm" bg="glass" onClick={draft.cancel}>
          {t`Cancel`}
        </Button>
      )}
      {!previewUrl && url && (
        <RemoveButton
          ref={removeButton}
          iconOnly
          onClick={draft.remove}
          pending={isRemoving}
          disabled={isPreparing}
          bg="glass"
        />
      )}
    </ProfileImage>
  )
}

/** Shows a button that opens the file picker. */
function ChangeButton({
  label,
  iconOnly,
  ...button
}: { label: string; iconOnly?: boolean } & Omit<ComponentProps<typeof FileButton>, 'accept' | 'children'>) {
  return (
    <FileButton
      accept={imageTypes}
      size={iconOnly ? 'icon' : 'sm'}
      paddingInline={iconOnly ? '0' : '3'}
      aria-label={label}
      title={iconOnly ? label : undefined}
      {...button}
    >
      <CameraIcon />
      {!iconOnly && label}
    </FileButton>
  )
}

function RemoveButton({ iconOnly, ...button }: { iconOnly: boolean } & ButtonProps) {
  const label = t`Remove`
  return iconOnly ? (
    <Button size="icon" minHeight="9" minWidth="9" fontSize="lg" aria-label={label} title={label} {...button}>
      {!button.pending && <TrashIcon />}
    </Button>
  ) : (
    <Button size="sm" variant="ghost" paddingInline="2" color="muted" {...button}>
      {label}
    </Button>
  )
}

/** The styles of a round button on the edge of the avatar. */
const badge = {
  position: 'absolute',
  bottom: '-1',
  width: '9',
  height: '9',
  minHeight: '9',
  minWidth: '9',
  fontSize: 'lg',
  borderWidth: '2px',
  borderColor: 'surface',
  // Enlarges the touch target beyond the visible button.
  _before: { content: '""', position: 'absolute', inset: '-1.5' },
} as const

/** The styles of an image, and of the text and buttons that belong to it, by the place of the image. */
const placeStyles = {
  /** The image beside its text. */
  row: {
    group: { display: 'flex', alignItems: 'center', gap: { base: '4', md: '6' } },
    image: {},
    buttons: {},
  },
  avatar: {
    group: {
      position: 'relative',
      marginTop: { base: '-10', md: '-16' },
      marginInlineStart: { base: '3', md: '5' },
      borderWidth: '4px',
      borderColor: 'surface',
      borderRadius: 'full',
      bg: 'surface',
    },
    image: { display: 'flex' },
    buttons: { display: 'contents' },
  },
  cover: {
    group: { position: 'relative', gridColumn: '1 / -1' },
    image: {},
    buttons: { position: 'absolute', top: '3', insetInline: '3', justifyContent: 'flex-end' },
  },
} as const

/**
 * Shows an image and its buttons. The title and the hint are visible only in a `row`. Elsewhere, only screen readers
 * announce them.
 */
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
  place: keyof typeof placeStyles
  children: ReactNode
}) {
  const id = useId()
  const styles = placeStyles[place]
  return (
    <Box role="group" aria-labelledby={id} aria-describedby={`${id}-hint`} {...styles.group}>
      <Box flexShrink="0" {...styles.image}>
        {image}
      </Box>
      <Box minWidth="0" display={place === 'row' ? undefined : 'contents'}>
        <Box id={id} textStyle="label" srOnly={place !== 'row'}>
          {title}
        </Box>
        <Box
          id={`${id}-hint`}
          textStyle="small"
          color="muted"
          marginTop="0.5"
          marginBottom="2.5"
          textWrap="pretty"
          srOnly={place !== 'row'}
        >
          {hint}
        </Box>
        <Box display="flex" flexWrap="wrap" gap="1.5" {...styles.buttons}>
          {children}
        </Box>
      </Box>
    </Box>
  )
}

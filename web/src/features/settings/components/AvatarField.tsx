import type { OwnUser } from '@contract/user.ts'
import { lazy, Suspense, useRef } from 'react'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { FileButton } from '@/ui/FileButton'
import { checkProfilePhoto, imageTypes } from '@/uploads/profile-image'
import { profileImageToasts, showImageError } from '@/uploads/profile-image-toasts'
import { useProfileImageUpload } from '@/uploads/useProfileImageUpload'
import { useRestoreFocus } from '../useRestoreFocus'
import { useAvatarDraft } from './ProfileImageProvider'
import { ProfileImageRow } from './ProfileImageRow'

const CropDialog = lazy(() => import('@/uploads/components/CropDialog'))

/** One's profile photo: chosen, cropped and sent, or taken away. */
export function AvatarField({ user }: { user: OwnUser }) {
  const { upload, stop, remove, percent, isUploading, isRemoving } = useProfileImageUpload('profile')
  const { photo: chosen, choosePhoto: setChosen } = useAvatarDraft()
  const [change, taking] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  useRestoreFocus(isRemoving, () => taking.current ?? change.current)

  const choose = async (file: File) => {
    try {
      await checkProfilePhoto(file)
      setChosen(file)
    } catch (error) {
      showImageError(error, profileImageToasts.profile.failed)
    }
  }
  const send = async (part: File) => {
    if (await upload(part)) setChosen(null)
  }

  return (
    <ProfileImageRow
      title="Profile photo"
      hint="JPG, PNG or GIF, up to 5 MB. You choose which part of it shows."
      picture={
        <Avatar person={{ ...user, displayName: displayName(user) }} size="xl" label="Your profile photo" />
      }
    >
      <FileButton
        ref={change}
        size="sm"
        accept={imageTypes}
        onFile={(file) => void choose(file)}
        disabled={isUploading || isRemoving}
      >
        Change photo
      </FileButton>
      {user.profileImageUrl && (
        <Button
          ref={taking}
          size="sm"
          variant="outline"
          onClick={remove}
          pending={isRemoving}
          disabled={isUploading}
        >
          Remove
        </Button>
      )}
      {chosen && (
        <Suspense>
          <CropDialog
            file={chosen}
            onDone={(part) => void send(part)}
            onClose={() => {
              stop()
              setChosen(null)
            }}
            percent={percent}
          />
        </Suspense>
      )}
    </ProfileImageRow>
  )
}

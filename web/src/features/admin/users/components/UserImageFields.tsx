import { Box } from '@chakra-ui/react'
import { ImageUpload } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useController } from 'react-hook-form'
import { errorMessage } from '@/lib/errors'
import { accountLabels } from '@/profile/field-names'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton, imageTypes } from '@/ui/FileButton'
import { FileRejectedError } from '@/uploads/file-type'
import { prepareImage } from '@/uploads/prepare-image'
import { checkProfilePhoto, prepareCoverImage } from '@/uploads/profile-image'
import { uploadFile } from '@/uploads/upload-request'
import type { UserForm } from './EditUserDialog'
import { FormSection } from './UserFormFields'

/**
 * Shows the avatar and the cover image. A chosen file is uploaded immediately, but the user's image changes only when
 * the form is saved.
 */
export function UserImageFields({
  form,
  name,
  onUploading,
}: {
  form: UserForm
  name: string
  /** Called when an upload starts or ends, so that the form can wait for it. */
  onUploading: (isUploading: boolean) => void
}) {
  const { control } = form
  const { field: avatarField } = useController({ control, name: 'profileImageUrl' })
  const { field: coverField } = useController({ control, name: 'backgroundImageUrl' })
  const avatar = useUserImageUpload('profile', avatarField.onChange)
  const cover = useUserImageUpload('background', coverField.onChange)
  const isUploading = avatar.isUploading || cover.isUploading
  useEffect(() => onUploading(isUploading), [isUploading, onUploading])
  return (
    <FormSection title={t`Images`}>
      <Box display="grid" gap="4">
        <ImageField
          label={t(accountLabels.profileImageUrl)}
          changeLabel={t`Change profile image`}
          removeLabel={t`Remove profile image`}
          preview={<Avatar user={{ displayName: name, profileImageUrl: avatarField.value }} size="lg" />}
          isUploading={avatar.isUploading}
          onFile={avatar.upload}
          onRemove={avatarField.value === null ? undefined : () => avatarField.onChange(null)}
        />
        <ImageField
          label={t(accountLabels.backgroundImageUrl)}
          changeLabel={t`Change background image`}
          removeLabel={t`Remove background image`}
          preview={
            <CoverImage
              url={coverField.value}
              width="7rem"
              height="4rem"
              borderRadius="md"
              borderWidth="1px"
            />
          }
          isUploading={cover.isUploading}
          onFile={cover.upload}
          onRemove={coverField.value === null ? undefined : () => coverField.onChange(null)}
        />
      </Box>
    </FormSection>
  )
}

function ImageField({
  label,
  changeLabel,
  removeLabel,
  preview,
  isUploading,
  onFile,
  onRemove,
}: {
  label: string
  changeLabel: string
  removeLabel: string
  preview: ReactNode
  isUploading: boolean
  onFile: (file: File) => void
  /** Undefined if there is no image. */
  onRemove: (() => void) | undefined
}) {
  return (
    <Box display="flex" alignItems="center" gap="4">
      <Box width="7rem" flexShrink="0" display="grid" placeItems="center">
        {preview}
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
          aria-label={changeLabel}
          pending={isUploading}
          pendingLabel={t`Uploading…`}
        >
          {t`Change`}
        </FileButton>
        {onRemove && (
          <Button variant="ghost" size="sm" aria-label={removeLabel} onClick={onRemove}>
            {t`Remove`}
          </Button>
        )}
      </Box>
    </Box>
  )
}

type ImageKind = 'profile' | 'background'

/** Limits for a compressed avatar: pixels, megabytes, JPEG quality. */
const avatarTarget = { maxSide: 800, maxMegabytes: 1, quality: 0.85 }

const prepareFile: Record<ImageKind, (file: File, signal: AbortSignal) => Promise<File>> = {
  profile: (file, signal) => prepareImage(file, { target: avatarTarget, signal }),
  background: (file, signal) => prepareCoverImage(file, signal, () => undefined),
}

/** Uploads an avatar or cover image. `onDone` receives the URL for the form. */
function useUserImageUpload(kind: ImageKind, onDone: (imageUrl: string) => void) {
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const { mutate, isPending } = useMutation({
    mutationFn: async (chosen: File) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      await checkProfilePhoto(chosen)
      const file = await prepareFile[kind](chosen, signal)
      const path = `/api/admin/upload/${kind}-image`
      return uploadFile(path, 'image', file, ImageUpload.pick({ imageUrl: true }), { signal })
    },
    onSuccess: ({ imageUrl }) => onDone(imageUrl),
    meta: {
      errorTitle: (error) => (error instanceof FileRejectedError ? error.title : t`Upload Failed`),
      errorMessage: (error) => {
        if (abort.current?.signal.aborted) return null
        return error instanceof FileRejectedError ? error.message : errorMessage(error, t`Upload failed`)
      },
    },
  })
  return { upload: (file: File) => mutate(file), isUploading: isPending }
}

import { useRef } from 'react'
import { Button } from '@/ui/Button'
import { CoverImage } from '@/ui/CoverImage'
import { FileButton } from '@/ui/FileButton'
import { imageTypes } from '@/uploads/profile-image'
import { useRestoreFocus } from '../useRestoreFocus'
import { useCoverImageDraft } from './ProfileImageProvider'
import { ProfileImageRow } from './ProfileImageRow'

/** The picture at the head of one's profile: chosen, looked at and sent, or taken away. */
export function CoverImageField({ url }: { url: string | null }) {
  const draft = useCoverImageDraft()
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const [change, taking] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  useRestoreFocus(isUploading || isRemoving, () => taking.current ?? change.current)
  return (
    <ProfileImageRow
      title="Background image"
      hint={
        previewUrl
          ? 'This is how it will look. Others see it once you upload it.'
          : 'JPG, PNG or GIF, up to 5 MB. It shows at the top of your profile.'
      }
      above
      picture={
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
        ref={change}
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
          ref={taking}
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

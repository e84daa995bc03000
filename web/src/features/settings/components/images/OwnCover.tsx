import { useRef } from 'react'
import { imageTypes } from '@/lib/ownImages/files'
import { Button } from '@/ui/Button'
import { Cover } from '@/ui/Cover'
import { FileButton } from '@/ui/FileButton'
import { useOwnCover } from '../../profile/CoverProvider'
import { useFocusAfter } from '../../useFocusAfter'
import { ImageRow } from './ImageRow'

/** The picture at the head of one's profile: chosen, looked at and sent, or taken away. */
export function OwnCover({ url }: { url: string | null }) {
  const draft = useOwnCover()
  const { previewUrl, percent, isPreparing, isUploading, isRemoving } = draft
  const [change, taking] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  useFocusAfter(isUploading || isRemoving, () => taking.current ?? change.current)
  return (
    <ImageRow
      title="Background image"
      hint={
        previewUrl
          ? 'This is how it will look. Others see it once you upload it.'
          : 'JPG, PNG or GIF, up to 5 MB. It shows at the top of your profile.'
      }
      above
      picture={
        <Cover
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
    </ImageRow>
  )
}

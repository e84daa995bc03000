import { useCallback, useEffect, useRef, useState } from 'react'
import { toast } from '@/ui/toaster'
import { prepareCoverImage } from './profile-image'
import { profileImageToasts, showImageError } from './profile-image-toasts'
import { useProfileImageUpload } from './useProfileImageUpload'

type Draft = { file: File; previewUrl: string }

/**
 * A cover from choosing it to storing it: looked at, made smaller where it is large, previewed, and sent when it is
 * wanted. What was chosen before stays until another one is fit to take its place.
 *
 * @param place where it is done, for the words of it
 */
export function useCoverDraft(place: 'background' | 'header') {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [isPreparing, setPreparing] = useState(false)
  const work = useRef<AbortController>(undefined)
  const { upload, stop, ...rest } = useProfileImageUpload('background', place)

  const drop = useCallback(() => {
    work.current?.abort()
    setPreparing(false)
    setDraft(null)
  }, [])
  useEffect(() => () => work.current?.abort(), [])
  useEffect(() => (draft ? () => URL.revokeObjectURL(draft.previewUrl) : undefined), [draft])

  const choose = async (chosen: File) => {
    work.current?.abort()
    work.current = new AbortController()
    const { signal } = work.current
    setPreparing(true)
    try {
      const file = await prepareCoverImage(chosen, signal, () =>
        toast({
          title: 'Optimizing image',
          description: 'Compressing large image for better performance...',
        }),
      )
      if (!signal.aborted) setDraft({ file, previewUrl: URL.createObjectURL(file) })
    } catch (error) {
      if (!signal.aborted) showImageError(error, profileImageToasts[place].failed)
    } finally {
      if (!signal.aborted) setPreparing(false)
    }
  }

  return {
    ...rest,
    previewUrl: draft?.previewUrl ?? null,
    isPreparing,
    choose,
    /** Sends what is previewed; true once it is stored, and there is nothing to preview any more. */
    send: async (): Promise<boolean> => {
      if (!draft || !(await upload(draft.file))) return false
      drop()
      return true
    },
    /** Forgets what was chosen, and stops sending it. */
    cancel: () => {
      stop()
      drop()
    },
  }
}

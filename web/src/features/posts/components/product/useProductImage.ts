import { uploadErrors } from '@contract/media.ts'
import { useEffect, useRef, useState } from 'react'
import { toast } from '@/ui/toaster'
import { sniffImage } from '@/uploads/file-type'
import { compressAndUploadImage, showUploadError } from '../../api/compress-and-upload'
import type { ChosenMedia } from '../../chosen-media'
import { changeProductDraft } from '../../product-draft'

/** The upload that goes on; `finished` tells whether the picture can be posted. */
interface Upload {
  abort: AbortController
  finished: Promise<boolean>
  previewUrl: string
}

/** The picture of the product that is being described: chosen here, uploaded at once, and then part of the draft. */
export function useProductImage(userId: string) {
  const [chosen, setChosen] = useState<ChosenMedia>()
  const upload = useRef<Upload>(undefined)

  const forget = () => {
    upload.current?.abort.abort()
    if (upload.current) URL.revokeObjectURL(upload.current.previewUrl)
    upload.current = undefined
    setChosen(undefined)
  }
  useEffect(
    () => () => {
      upload.current?.abort.abort()
      if (upload.current) URL.revokeObjectURL(upload.current.previewUrl)
    },
    [],
  )

  const choose = async (file: File) => {
    if (!(await sniffImage(file))) {
      toast({ title: 'Invalid file type', description: uploadErrors.imageType, tone: 'destructive' })
      return
    }
    forget()
    changeProductDraft(userId, { imageUrl: null })
    const abort = new AbortController()
    const previewUrl = URL.createObjectURL(file)
    setChosen({ kind: 'image', file, previewUrl, state: 'preparing', percent: 0 })
    upload.current = { abort, previewUrl, finished: send(file, abort.signal) }
  }

  const send = async (file: File, signal: AbortSignal): Promise<boolean> => {
    const update = (fields: Partial<ChosenMedia>) => {
      if (!signal.aborted) setChosen((before) => before && { ...before, ...fields })
    }
    try {
      const imageUrl = await compressAndUploadImage(file, {
        signal,
        onProgress: (part) => update({ state: 'uploading', percent: Math.min(100, Math.floor(part * 100)) }),
        onWaiting: () => update({ state: 'waiting', percent: 0 }),
      })
      if (signal.aborted) return false
      changeProductDraft(userId, { imageUrl })
      update({ state: 'done', percent: 100, address: imageUrl })
      return true
    } catch (error) {
      if (signal.aborted) return false
      update({ state: 'failed' })
      showUploadError(error)
      return false
    }
  }

  return {
    chosen,
    choose: (file: File) => void choose(file),
    /** Takes it out of the product, with the words about it. */
    remove: () => {
      forget()
      changeProductDraft(userId, { imageUrl: null, altText: '' })
    },
    /** Forgets what was chosen here; what the draft has stays. */
    forget,
    /** Waits for the upload that goes on, if any. False when it failed: then nothing is to be posted. */
    isReady: async () => (upload.current ? upload.current.finished : true),
  }
}
export type ProductImage = ReturnType<typeof useProductImage>

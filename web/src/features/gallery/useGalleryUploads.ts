import { galleryErrors } from '@contract/gallery.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, translateServerText } from '@/lib/errors'
import { uuidv7 } from '@/lib/uuid'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { FileRejectedError, sniffImage, sniffVideo } from '@/uploads/file-type'
import { stripLocation } from '@/uploads/mp4'
import { postImageTarget, prepareImage } from '@/uploads/prepare-image'
import { addGalleryItem, addItemToCache, galleryKey } from './api'
import { type AcceptedFile, type GalleryUpload, type UploadOutcome, uploadOutcome } from './model'

/** Manages the files that are added to the user's gallery. Unmounting cancels all uploads. */
export function useGalleryUploads(userId: string) {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly GalleryUpload[]>([])
  const [rejectionReasons, setRejectionReasons] = useState<readonly string[]>([])
  const abortControllers = useRef(new Map<string, AbortController>())
  // Asynchronous code reads the current uploads from here and not from a render's closure.
  const currentUploads = useRef(uploads)
  const updateAll = (update: (uploads: readonly GalleryUpload[]) => readonly GalleryUpload[]) => {
    currentUploads.current = update(currentUploads.current)
    setUploads(currentUploads.current)
  }
  const update = (id: string, fields: Partial<GalleryUpload>) =>
    updateAll((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)))

  const cancel = (id: string) => {
    const controller = abortControllers.current.get(id)
    if (!controller) return
    abortControllers.current.delete(id)
    controller.abort()
    // The server may have stored the item before the upload was cancelled.
    void queryClient.invalidateQueries({ queryKey: galleryKey(userId) })
  }

  const cancelAll = useEffectEvent(() => {
    for (const { id, previewUrl } of currentUploads.current) {
      cancel(id)
      URL.revokeObjectURL(previewUrl)
    }
  })
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
      cancelAll()
    }
  }, [])

  const acceptAndAdd = async (files: readonly File[]) => {
    if (isUnmounted.current) return
    const { accepted, reasons } = await acceptFiles(
      files,
      limits.gallery.maxFiles - currentUploads.current.length,
    )
    if (isUnmounted.current) {
      for (const { previewUrl } of accepted) URL.revokeObjectURL(previewUrl)
      return
    }
    updateAll((all) => [
      ...all,
      ...accepted.map(
        (acceptedFile): GalleryUpload => ({
          ...acceptedFile,
          title: '',
          description: '',
          state: 'chosen',
          percent: 0,
          problem: null,
        }),
      ),
    ])
    setRejectionReasons(reasons)
  }

  // Calls to `addFiles` run one after another, because each one needs the number of files that the previous one added.
  const addQueue = useRef<{ pending: number; last: Promise<void> }>({ pending: 0, last: Promise.resolve() })
  const addFiles = (files: readonly File[]): Promise<void> => {
    const queue = addQueue.current
    queue.pending += 1
    const added = queue.last
      .then(() => acceptAndAdd(files))
      .finally(() => {
        queue.pending -= 1
      })
    // A failure does not stop later calls.
    queue.last = added.catch(() => undefined)
    return added
  }

  const remove = (id: string) => {
    cancel(id)
    updateAll((all) => {
      for (const upload of all) if (upload.id === id) URL.revokeObjectURL(upload.previewUrl)
      return all.filter((upload) => upload.id !== id)
    })
    setRejectionReasons([])
  }

  const send = async (upload: GalleryUpload): Promise<void> => {
    const { id, title, description } = upload
    const controller = new AbortController()
    abortControllers.current.set(id, controller)
    const { signal } = controller
    update(id, { state: 'preparing', percent: 0, problem: null })
    try {
      const file = await prepareFile(upload, signal)
      const item = await addGalleryItem(
        { id, file, title, description },
        {
          signal,
          onProgress: (percent) => update(id, { state: 'uploading', percent }),
          onConnectionLost: () => update(id, { state: 'waiting', percent: 0 }),
        },
      )
      addItemToCache(queryClient, item)
      update(id, { state: 'done', percent: 100 })
    } catch (error) {
      if (signal.aborted) return
      redirectIfUnauthorized(error)
      update(id, { state: 'failed', problem: uploadErrorText(error) })
    } finally {
      if (abortControllers.current.get(id) === controller) abortControllers.current.delete(id)
    }
  }

  const sendEach = async (selected: readonly GalleryUpload[]): Promise<UploadOutcome> => {
    await Promise.all(selected.map(send))
    return uploadOutcome(currentUploads.current, addQueue.current.pending > 0)
  }

  return {
    uploads,
    /** Why files were not added: one message per rejected file, and one message if there were too many files. */
    rejectionReasons,
    addFiles,
    remove,
    update,
    /** Uploads all files whose upload has not started. Each upload succeeds or fails independently. */
    sendAll: () => sendEach(currentUploads.current.filter(({ state }) => state === 'chosen')),
    retry: (upload: GalleryUpload) => sendEach([upload]),
  }
}

/** Checks files by content and size. Accepts at most `maxCount` of them. */
async function acceptFiles(
  files: readonly File[],
  maxCount: number,
): Promise<{ accepted: AcceptedFile[]; reasons: string[] }> {
  const accepted: AcceptedFile[] = []
  const reasons: string[] = []
  const { maxFiles } = limits.gallery
  for (const file of files) {
    if (accepted.length === maxCount) {
      reasons.push(t`You can add up to ${maxFiles} files at a time.`)
      break
    }
    const imageType = await sniffImage(file)
    const videoType = imageType ? null : await sniffVideo(file)
    const reject = (reason: string) => reasons.push(`${file.name}: ${translateServerText(reason)}`)
    if (!imageType && !videoType) reject(galleryErrors.type)
    else if (file.size > limits.gallery.maxBytes) reject(galleryErrors.size)
    else {
      const kind = imageType ? 'image' : 'video'
      accepted.push({ id: uuidv7(), file, kind, videoType, previewUrl: URL.createObjectURL(file) })
    }
  }
  return { accepted, reasons }
}

/** Returns the file to upload: compresses a large image, and removes the location from an MP4 or QuickTime video. */
async function prepareFile({ file, kind, videoType }: GalleryUpload, signal: AbortSignal): Promise<File> {
  if (kind === 'image') return await prepareImage(file, { target: postImageTarget, signal })
  if (videoType === 'video/webm') return file
  const bytes = await stripLocation(file)
  return new File([bytes], file.name, { type: videoType ?? file.type })
}

function uploadErrorText(error: unknown): string {
  if (error instanceof FileRejectedError) return error.message
  const serverMessage = error instanceof ApiError && error.status < 500 ? error.serverMessage : ''
  return serverMessage ? translateServerText(serverMessage) : t`Check your connection and try again.`
}

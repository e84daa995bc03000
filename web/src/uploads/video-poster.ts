import type { ImageUpload } from '@contract/media.ts'

/**
 * The time of the frame to capture: not 0, because the first frame is often black. In a short video, it is a tenth of
 * the duration if that is earlier.
 */
const posterTimeSeconds = 0.5
const maxSidePx = 1080
/** Milliseconds to wait for the frame. Some videos never load, because the browser cannot read them. */
const timeoutMs = 10_000

/**
 * Returns a frame of a video as a JPEG, or undefined if the browser cannot play the video or `signal` is aborted.
 *
 * @param url e.g. an object URL of a file
 */
async function captureVideoPoster(url: string, signal: AbortSignal): Promise<File | undefined> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  const abort = new AbortController()
  const onAbort = () => abort.abort()
  signal.addEventListener('abort', onAbort)
  const timer = setTimeout(onAbort, timeoutMs)
  try {
    const loaded = waitForEvent(video, 'loadeddata', abort.signal)
    video.src = url
    await loaded
    const durationSeconds = Number.isFinite(video.duration) ? video.duration : 0
    if (durationSeconds > 0) {
      const seeked = waitForEvent(video, 'seeked', abort.signal)
      video.currentTime = Math.min(posterTimeSeconds, durationSeconds / 10)
      await seeked
    }
    return await drawFrame(video)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    video.removeAttribute('src')
    video.load()
  }
}

/**
 * Uploads a frame of a video with `upload` and returns its URL. Returns null after an error, because a poster is
 * optional.
 */
export async function uploadVideoPoster(
  file: File,
  signal: AbortSignal,
  upload: (frame: File) => Promise<ImageUpload>,
): Promise<string | null> {
  const url = URL.createObjectURL(file)
  try {
    const frame = await captureVideoPoster(url, signal)
    return frame ? (await upload(frame)).imageUrl : null
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

function waitForEvent(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(video.error), { once: true })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function drawFrame(video: HTMLVideoElement): Promise<File | undefined> {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0 || videoHeight === 0) return
  const scale = Math.min(1, maxSidePx / Math.max(videoWidth, videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(videoWidth * scale))
  canvas.height = Math.max(1, Math.round(videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  return blob ? new File([blob], 'poster.jpg', { type: 'image/jpeg' }) : undefined
}

/** Seconds into a video, unless it is so short that a tenth of it comes earlier: the first frame is often black. */
const bestMoment = 0.5
/** Pixels of the longer side. */
const longestSide = 1080
/** Milliseconds after which a browser that cannot read the video is not waited for. */
const patience = 10_000

/**
 * A still of a video, as a JPEG. Nothing when the browser cannot play it.
 *
 * @param url where the video is, e.g. an object URL of a file
 */
export async function captureVideoPoster(url: string, signal: AbortSignal): Promise<File | undefined> {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  try {
    const giveUp = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const ready = when(video, 'loadeddata', giveUp)
    video.src = url
    await ready
    const length = Number.isFinite(video.duration) ? video.duration : 0
    if (length > 0) {
      const there = when(video, 'seeked', giveUp)
      video.currentTime = Math.min(bestMoment, length / 10)
      await there
    }
    return await draw(video)
  } catch {
    return undefined
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

function when(video: HTMLVideoElement, event: string, giveUp: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(video.error), { once: true })
    giveUp.addEventListener('abort', () => reject(giveUp.reason), { once: true })
  })
}

async function draw(video: HTMLVideoElement): Promise<File | undefined> {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0 || videoHeight === 0) return
  const scale = Math.min(1, longestSide / Math.max(videoWidth, videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(videoWidth * scale))
  canvas.height = Math.max(1, Math.round(videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  return blob ? new File([blob], 'poster.jpg', { type: 'image/jpeg' }) : undefined
}

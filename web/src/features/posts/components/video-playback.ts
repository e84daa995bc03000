let playing: HTMLVideoElement | null = null

/** Has every other video rest once this one plays. */
export function pauseOtherVideos(video: HTMLVideoElement): void {
  if (playing !== video) playing?.pause()
  playing = video
}

/**
 * Has a video rest once most of it was scrolled away, unless it fills the screen or floats over other windows.
 * Returns how to stop watching it.
 */
export function pauseWhenOffscreen(video: HTMLVideoElement): () => void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry || entry.intersectionRatio >= 0.25) return
      if (document.fullscreenElement === video || document.pictureInPictureElement === video) return
      video.pause()
    },
    { threshold: 0.25 },
  )
  observer.observe(video)
  return () => {
    observer.disconnect()
    if (playing === video) playing = null
  }
}

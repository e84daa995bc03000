import { chakra } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'

const Video = chakra('video', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    // As in a mirror, which is how people know themselves.
    '&[data-mirrored]': { transform: 'scaleX(-1)' },
  },
})

/** What one's own camera shows. Without sound: a microphone that hears itself howls. */
export function CameraPreview({ stream }: { stream: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element) return
    element.srcObject = stream
    // A browser that saves power may wait for a press; the picture then stands still, and nothing else is wrong.
    element.play().catch(() => undefined)
    return () => {
      element.srcObject = null
    }
  }, [stream])
  const turnedAway = stream.getVideoTracks()[0]?.getSettings().facingMode === 'environment'
  return (
    <Video
      ref={video}
      data-mirrored={turnedAway ? undefined : ''}
      autoPlay
      muted
      playsInline
      aria-label="Your camera"
    />
  )
}

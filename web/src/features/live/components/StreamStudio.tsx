import { Box, chakra } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { AlertIcon, EyeIcon, LiveIcon, VideoIcon, VideoOffIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Spinner } from '@/ui/Skeleton'
import { formatDuration, type StreamState, streamProblemTexts } from '../model'
import { useStream } from '../stream'
import { StreamControls } from './StreamControls'

/** Shows the camera preview with the stream's status, and the controls. */
export function StreamStudio({ user }: { user: OwnUser }) {
  const stream = useStream((store) => store.stream)
  const preview = useStream((store) => store.preview)
  return (
    <Box paddingBlock="2">
      <Box
        role="group"
        aria-label={t`Live preview`}
        position="relative"
        isolation="isolate"
        overflow="hidden"
        aspectRatio={{ base: '4 / 3', md: '16 / 9' }}
        borderRadius="md"
        borderWidth="1px"
        bg="sunken"
      >
        {preview ? <CameraPreview preview={preview} /> : <PreviewPlaceholder stream={stream} user={user} />}
        {stream.phase === 'live' && <StreamStatus startedAt={stream.startedAt} viewers={stream.viewers} />}
      </Box>
      <StreamControls stream={stream} />
    </Box>
  )
}

/** Shows the user's camera. Muted, because sound from the user's own microphone would cause feedback. */
function CameraPreview({ preview }: { preview: MediaStream }) {
  const videoRef = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = videoRef.current
    if (!element) return
    element.srcObject = preview
    // A browser in power-saving mode may block playback. The preview is then frozen, but the stream is unaffected.
    element.play().catch(() => undefined)
    return () => {
      element.srcObject = null
    }
  }, [preview])
  const isRearCamera = preview.getVideoTracks()[0]?.getSettings().facingMode === 'environment'
  return (
    <Video
      ref={videoRef}
      data-mirrored={isRearCamera ? undefined : ''}
      autoPlay
      muted
      playsInline
      aria-label={t`Your camera`}
    />
  )
}

const Video = chakra('video', {
  base: {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    objectFit: 'cover',
    // Mirrored, because people are used to their mirror image.
    '&[data-mirrored]': { transform: 'scaleX(-1)' },
  },
})

/** Shows the stream's status, duration, quality and viewer count over the preview. */
function StreamStatus({ startedAt, viewers }: { startedAt: number; viewers: number }) {
  return (
    <Box position="absolute" insetInline="3" top="3" display="flex" flexWrap="wrap" gap="2">
      <Pill bg="ember.solid" color="ember.on">
        <Box
          as="span"
          width="2"
          height="2"
          borderRadius="full"
          bg="currentColor"
          animation="breathe 1.6s ease-in-out infinite"
          aria-hidden
        />
        {t`LIVE`}
      </Pill>
      <Pill>
        <VisuallyHidden>{t`Duration:`}</VisuallyHidden>
        <ElapsedTime startedAt={startedAt} />
      </Pill>
      <Pill>{t`720p HD`}</Pill>
      <Pill marginInlineStart="auto" title={t`Simulated viewers`}>
        <EyeIcon />
        <span aria-hidden>{formatCount(viewers)}</span>
        <VisuallyHidden>
          {t`${plural(viewers, { one: '# simulated viewer', other: '# simulated viewers' })}`}
        </VisuallyHidden>
      </Pill>
    </Box>
  )
}

function Pill(props: ComponentProps<typeof Box>) {
  return (
    <Box
      display="flex"
      alignItems="center"
      gap="1.5"
      minHeight="7"
      paddingInline="2.5"
      borderRadius="full"
      bg="inverse"
      color="onInverse"
      textStyle="caption"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      {...props}
    />
  )
}

/** Shows the elapsed time. It has its own timer, so that only this component renders every second. */
function ElapsedTime({ startedAt }: { startedAt: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span>{formatDuration(now - startedAt)}</span>
}

/** Shows why there is no camera preview. */
function PreviewPlaceholder({ stream, user }: { stream: StreamState; user: OwnUser }) {
  if (stream.phase === 'live') {
    return (
      <CenteredContent>
        {stream.camera === 'starting' ? (
          <Box fontSize="2xl">
            <Spinner />
          </Box>
        ) : (
          <Avatar user={{ ...user, displayName: displayName(user) }} size="lg" />
        )}
        <Box role="status" textStyle="small" color="muted" display="flex" alignItems="center" gap="1.5">
          {stream.camera !== 'starting' && <VideoOffIcon />}
          {
            {
              on: '',
              off: t`Your camera is off.`,
              starting: t`Waiting for your camera…`,
              lost: t`Your camera was disconnected.`,
            }[stream.camera]
          }
        </Box>
      </CenteredContent>
    )
  }
  if (stream.phase === 'starting') {
    return (
      <CenteredContent>
        <Box fontSize="2xl">
          <Spinner />
        </Box>
        <Box role="status" textStyle="small" color="muted">
          {t`Waiting for your camera…`}
        </Box>
      </CenteredContent>
    )
  }
  if (stream.phase === 'ended') {
    const duration = formatDuration(stream.durationMs)
    return (
      <CenteredContent>
        <IconDisc>
          <LiveIcon />
        </IconDisc>
        <div role="status">
          <Box textStyle="label">{t`Your live stream has ended`}</Box>
          <Box textStyle="small" color="muted" marginTop="1">
            {t`Duration: ${duration}`}
          </Box>
        </div>
      </CenteredContent>
    )
  }
  if (stream.problem) {
    const { title, description } = streamProblemTexts[stream.problem]
    return (
      <CenteredContent>
        <IconDisc danger>
          <AlertIcon />
        </IconDisc>
        <div role="alert">
          <Box textStyle="label">{t(title)}</Box>
          <Box textStyle="small" color="muted" marginTop="1">
            {t(description)}
          </Box>
        </div>
      </CenteredContent>
    )
  }
  return (
    <CenteredContent>
      <IconDisc>
        <VideoIcon />
      </IconDisc>
      <div>
        <Box textStyle="label">{t`Your camera preview will appear here`}</Box>
        <Box textStyle="small" color="muted" marginTop="1">
          {t`Your browser will ask for camera and microphone access when you start.`}
        </Box>
      </div>
    </CenteredContent>
  )
}

function CenteredContent({ children }: { children: ReactNode }) {
  return (
    <Box
      position="absolute"
      inset="0"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="3"
      padding="6"
      textAlign="center"
    >
      {children}
    </Box>
  )
}

function IconDisc({ danger = false, children }: { danger?: boolean; children: ReactNode }) {
  return (
    <Box
      display="grid"
      placeItems="center"
      width="14"
      height="14"
      borderRadius="full"
      fontSize="2xl"
      bg={danger ? 'danger.wash' : 'ember.wash'}
      color={danger ? 'danger.text' : 'ember.text'}
    >
      {children}
    </Box>
  )
}

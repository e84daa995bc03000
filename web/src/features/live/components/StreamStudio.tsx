import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { displayName } from '@/lib/text'
import { Avatar } from '@/ui/Avatar'
import { AlertIcon, LiveIcon, VideoIcon, VideoOffIcon } from '@/ui/icons'
import { Spinner } from '@/ui/Spinner'
import { formatDuration, type StreamState, streamProblemTexts } from '../model'
import { useStream } from '../stream'
import { CameraPreview } from './CameraPreview'
import { StreamControls } from './StreamControls'
import { StreamOverlay } from './StreamOverlay'

/** What the camera shows, what is known of the stream, and what it is made of. */
export function StreamStudio({ user }: { user: OwnUser }) {
  const stage = useStream((studio) => studio.stage)
  const picture = useStream((studio) => studio.picture)
  return (
    <Box paddingBlock="2">
      <Box
        role="group"
        aria-label="Live preview"
        position="relative"
        isolation="isolate"
        overflow="hidden"
        aspectRatio={{ base: '4 / 3', md: '16 / 9' }}
        borderRadius="md"
        borderWidth="1px"
        bg="sunken"
      >
        {picture ? <CameraPreview stream={picture} /> : <Curtain stage={stage} user={user} />}
        {stage.phase === 'live' && <StreamOverlay since={stage.since} viewers={stage.viewers} />}
      </Box>
      <StreamControls stage={stage} />
    </Box>
  )
}

/** Stands where the picture would be. */
function Curtain({ stage, user }: { stage: StreamState; user: OwnUser }) {
  if (stage.phase === 'live') {
    return (
      <Center>
        {stage.camera === 'starting' ? (
          <Box fontSize="2xl">
            <Spinner />
          </Box>
        ) : (
          <Avatar person={{ ...user, displayName: displayName(user) }} size="lg" />
        )}
        <Box role="status" textStyle="small" color="muted" display="flex" alignItems="center" gap="1.5">
          {stage.camera !== 'starting' && <VideoOffIcon />}
          {
            {
              on: '',
              off: 'Your camera is off.',
              starting: 'Waiting for your camera…',
              lost: 'Your camera was disconnected.',
            }[stage.camera]
          }
        </Box>
      </Center>
    )
  }
  if (stage.phase === 'starting') {
    return (
      <Center>
        <Box fontSize="2xl">
          <Spinner />
        </Box>
        <Box role="status" textStyle="small" color="muted">
          Waiting for your camera…
        </Box>
      </Center>
    )
  }
  if (stage.phase === 'ended') {
    return (
      <Center>
        <Sign>
          <LiveIcon />
        </Sign>
        <div role="status">
          <Box textStyle="label">Your stream has ended</Box>
          <Box textStyle="small" color="muted" marginTop="1">
            It lasted {formatDuration(stage.lasted)}.
          </Box>
        </div>
      </Center>
    )
  }
  if (stage.problem) {
    return (
      <Center>
        <Sign danger>
          <AlertIcon />
        </Sign>
        <div role="alert">
          <Box textStyle="label">Camera Access Denied</Box>
          <Box textStyle="small" color="muted" marginTop="1">
            {streamProblemTexts[stage.problem]}
          </Box>
        </div>
      </Center>
    )
  }
  return (
    <Center>
      <Sign>
        <VideoIcon />
      </Sign>
      <div>
        <Box textStyle="label">Your camera shows here</Box>
        <Box textStyle="small" color="muted" marginTop="1">
          Your browser asks for camera and microphone when you start.
        </Box>
      </div>
    </Center>
  )
}

function Center({ children }: { children: ReactNode }) {
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

function Sign({ danger = false, children }: { danger?: boolean; children: ReactNode }) {
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

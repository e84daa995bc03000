import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { MicrophoneIcon, MicrophoneOffIcon, VideoIcon, VideoOffIcon } from '@/ui/icons'
import { labeledDevices } from '../devices'
import { allDeviceKinds, type DeviceKind, type StreamState } from '../model'
import { selectDevice, setDeviceEnabled, useStream } from '../stream'

const names = { camera: 'Camera', microphone: 'Microphone' } as const
const signs = {
  camera: { on: <VideoIcon />, off: <VideoOffIcon /> },
  microphone: { on: <MicrophoneIcon />, off: <MicrophoneOffIcon /> },
} as const

/** Switches camera and microphone, each by itself, and chooses among those that are connected. */
export function StreamControls({ stage }: { stage: StreamState }) {
  if (stage.phase !== 'live') return null
  return (
    <Box display="grid" gap="4" marginTop="4">
      <Box display="grid" gridTemplateColumns="1fr 1fr" gap="3">
        {allDeviceKinds.map((kind) => {
          const on = stage[kind] === 'on' || stage[kind] === 'starting'
          return (
            <Button
              key={kind}
              role="switch"
              aria-checked={on}
              variant={on ? 'quiet' : 'outline'}
              onClick={() => void setDeviceEnabled(kind, !on)}
            >
              <Box as="span" fontSize="xl" color={on ? undefined : 'danger.text'}>
                {signs[kind][on ? 'on' : 'off']}
              </Box>
              {names[kind]}
            </Button>
          )
        })}
      </Box>
      {stage.microphone === 'lost' && (
        <Box role="status" textStyle="small" color="danger.text">
          Your stream has no sound: no microphone is connected, or another program uses it.
        </Box>
      )}
      <Box display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="3">
        {allDeviceKinds.map((kind) => (
          <DeviceChoice key={kind} kind={kind} />
        ))}
      </Box>
    </Box>
  )
}

/** Which of the connected ones is used; nothing where the browser tells of none. */
function DeviceChoice({ kind }: { kind: DeviceKind }) {
  const devices = labeledDevices(
    useStream((studio) => studio.devices),
    kind,
  )
  const chosen = useStream((studio) => studio.chosen[kind])
  if (devices.length === 0) return null
  const isThere = devices.some((one) => one.deviceId === chosen)
  return (
    <SelectField
      label={`${names[kind]} in use`}
      value={isThere ? chosen : ''}
      onChange={(event) => void selectDevice(kind, event.target.value)}
    >
      {!isThere && (
        <option value="" disabled>
          Disconnected
        </option>
      )}
      {devices.map((one) => (
        <option key={one.deviceId} value={one.deviceId}>
          {one.label}
        </option>
      ))}
    </SelectField>
  )
}

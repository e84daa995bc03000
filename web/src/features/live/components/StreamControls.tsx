import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { MicrophoneIcon, MicrophoneOffIcon, VideoIcon, VideoOffIcon } from '@/ui/icons'
import { type DeviceKind, deviceKinds, type StreamState } from '../model'
import { labeledDevices, selectDevice, setDeviceEnabled, useStream } from '../stream'

const deviceNames = { camera: 'Camera', microphone: 'Microphone' } as const
const deviceIcons = {
  camera: { on: <VideoIcon />, off: <VideoOffIcon /> },
  microphone: { on: <MicrophoneIcon />, off: <MicrophoneOffIcon /> },
} as const

/** Switches camera and microphone on and off, and selects among the connected devices. */
export function StreamControls({ stream }: { stream: StreamState }) {
  if (stream.phase !== 'live') return null
  return (
    <Box display="grid" gap="4" marginTop="4">
      <Box display="grid" gridTemplateColumns="1fr 1fr" gap="3">
        {deviceKinds.map((kind) => {
          const isOn = stream[kind] === 'on' || stream[kind] === 'starting'
          return (
            <Button
              key={kind}
              role="switch"
              aria-checked={isOn}
              variant={isOn ? 'quiet' : 'outline'}
              onClick={() => void setDeviceEnabled(kind, !isOn)}
            >
              <Box as="span" fontSize="xl" color={isOn ? undefined : 'danger.text'}>
                {deviceIcons[kind][isOn ? 'on' : 'off']}
              </Box>
              {deviceNames[kind]}
            </Button>
          )
        })}
      </Box>
      {stream.microphone === 'lost' && (
        <Box role="status" textStyle="small" color="danger.text">
          Your stream has no sound: no microphone is connected, or another program uses it.
        </Box>
      )}
      <Box display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="3">
        {deviceKinds.map((kind) => (
          <DeviceSelect key={kind} kind={kind} />
        ))}
      </Box>
    </Box>
  )
}

/** Selects a device. Shows nothing if the browser lists no devices. */
function DeviceSelect({ kind }: { kind: DeviceKind }) {
  const devices = labeledDevices(
    useStream((store) => store.devices),
    kind,
  )
  const selectedId = useStream((store) => store.selected[kind])
  if (devices.length === 0) return null
  const isConnected = devices.some((device) => device.deviceId === selectedId)
  return (
    <SelectField
      label={`${deviceNames[kind]} in use`}
      value={isConnected ? selectedId : ''}
      onChange={(event) => void selectDevice(kind, event.target.value)}
    >
      {!isConnected && (
        <option value="" disabled>
          Disconnected
        </option>
      )}
      {devices.map((device) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.label}
        </option>
      ))}
    </SelectField>
  )
}

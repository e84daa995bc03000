import { Box } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Button } from '@/ui/Button'
import { SelectField } from '@/ui/Field'
import { MicrophoneIcon, MicrophoneOffIcon, VideoIcon, VideoOffIcon } from '@/ui/icons'
import { type DeviceKind, deviceKinds, type StreamState } from '../model'
import { labeledDevices, selectDevice, setDeviceEnabled, useStream } from '../stream'

const deviceTexts: Record<DeviceKind, { name: MessageDescriptor; selectLabel: MessageDescriptor }> = {
  camera: { name: msg`Camera`, selectLabel: msg`Camera in use` },
  microphone: { name: msg`Microphone`, selectLabel: msg`Microphone in use` },
}
const deviceIcons = {
  camera: { on: <VideoIcon />, off: <VideoOffIcon /> },
  microphone: { on: <MicrophoneIcon />, off: <MicrophoneOffIcon /> },
} as const

/** Shows switches for the camera and microphone, and a menu for each that selects one of the connected devices. */
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
              {t(deviceTexts[kind].name)}
            </Button>
          )
        })}
      </Box>
      {stream.microphone === 'lost' && (
        <Box role="status" textStyle="small" color="danger.text">
          {t`Your stream has no sound. Connect a microphone or close other apps that use it.`}
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

/** Shows a menu that selects a device, or nothing if the browser lists no devices. */
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
      label={t(deviceTexts[kind].selectLabel)}
      value={isConnected ? selectedId : ''}
      onChange={(event) => void selectDevice(kind, event.target.value)}
    >
      {!isConnected && (
        <option value="" disabled>
          {t`Disconnected`}
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

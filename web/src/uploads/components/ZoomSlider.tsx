import { Box, chakra } from '@chakra-ui/react'
import { useId } from 'react'

const Slider = chakra('input', {
  base: {
    flex: '1',
    minWidth: '0',
    height: 'target',
    accentColor: 'ember.solid',
    cursor: 'pointer',
  },
})

/** How large a picture is shown, from 1 to `most` times. */
export function ZoomSlider({
  value,
  most,
  onChange,
}: {
  value: number
  most: number
  onChange: (value: number) => void
}) {
  const id = useId()
  return (
    <Box display="flex" alignItems="center" gap="3" flex="1" minWidth="0">
      <chakra.label htmlFor={id} textStyle="label">
        Zoom
      </chakra.label>
      <Slider
        id={id}
        type="range"
        min={1}
        max={most}
        step={0.01}
        value={value}
        aria-valuetext={`${Math.round(value * 100)}%`}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </Box>
  )
}

import { chakra } from '@chakra-ui/react'

/** The size of the coordinate system, which is stretched to the width of the container. */
const width = 100
const height = 32
/** Keeps the whole line within the picture. */
const inset = 2

/**
 * Shows how a metric changes over time, as a small line without axes. The line to the last value is dashed, because
 * that day or month is not over. Hidden from screen readers, which read the number beside the line.
 *
 * @param values oldest first; nothing is shown for fewer than two
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  // If all values are 0, the line is at the bottom.
  const range = highest - lowest || 1
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = height - inset - ((value - lowest) / range) * (height - 2 * inset)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const lineStyle = {
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: '1.5',
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
    vectorEffect: 'non-scaling-stroke',
  } as const
  return (
    <Picture aria-hidden viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" color="ember.ring">
      <polygon
        points={`0,${height} ${points.join(' ')} ${width},${height}`}
        fill="currentColor"
        fillOpacity="0.1"
      />
      <polyline points={points.slice(0, -1).join(' ')} {...lineStyle} />
      <polyline points={points.slice(-2).join(' ')} strokeDasharray="2 3" {...lineStyle} />
    </Picture>
  )
}

const Picture = chakra('svg', {
  base: { display: 'block', width: 'full', height: '9', overflow: 'visible' },
})

import { Button, type ButtonProps } from './Button'
import { Tooltip } from './Tooltip'

/** Shows a square button with only an icon. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  tooltip = true,
  ...props
}: ButtonProps & { label: string; tooltip?: boolean }) {
  const button = <Button size="icon" variant="ghost" aria-label={label} {...props} />
  return tooltip ? <Tooltip label={label}>{button}</Tooltip> : button
}

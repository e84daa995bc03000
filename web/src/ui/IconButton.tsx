import { Button, type ButtonProps } from './Button'
import { Tooltip } from './Tooltip'

/** A square button with an icon only; `label` names it for screen readers and, on hover, for everyone. */
export function IconButton({
  label,
  tooltip = true,
  ...props
}: ButtonProps & { label: string; tooltip?: boolean }) {
  const button = <Button size="icon" variant="ghost" aria-label={label} {...props} />
  return tooltip ? <Tooltip label={label}>{button}</Tooltip> : button
}

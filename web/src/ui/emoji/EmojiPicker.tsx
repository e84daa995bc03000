import { t } from '@lingui/core/macro'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '../Button'
import { SmileIcon } from '../icons'
import { LazyPart } from '../LazyPart'
import { Popover } from '../Popover'

const loadGrid = () => import('./EmojiGrid')

/**
 * Shows a button that opens a popover with emojis. Choosing one closes the popover and focuses `focusTarget`. The
 * emojis are loaded when they are needed; if that fails, the popover offers to try again.
 */
export function EmojiPicker({
  onChoose,
  focusTarget,
  placement = 'bottom-start',
}: {
  onChoose: (emoji: string) => void
  focusTarget: RefObject<HTMLElement | null>
  placement?: 'bottom-start' | 'top-end'
}) {
  const [open, setOpen] = useState(false)
  const hasChosen = useRef(false)
  return (
    <Popover
      open={open}
      onOpenChange={(nextOpen) => {
        hasChosen.current = false
        setOpen(nextOpen)
      }}
      finalFocus={() => (hasChosen.current ? focusTarget.current : null)}
      placement={placement}
      title={t`Emoji`}
      trigger={
        <Button size="icon" variant="ghost" aria-label={t`Add an emoji`}>
          <SmileIcon />
        </Button>
      }
    >
      {/* As tall as the emojis. */}
      <LazyPart load={loadGrid} minHeight="10.5rem">
        {({ EmojiGrid }) => (
          <EmojiGrid
            onChoose={(emoji) => {
              hasChosen.current = true
              setOpen(false)
              onChoose(emoji)
            }}
          />
        )}
      </LazyPart>
    </Popover>
  )
}

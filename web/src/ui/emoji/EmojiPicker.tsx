import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '../Button'
import { SmileIcon } from '../icons'
import { Popover } from '../Popover'
import { Spinner } from '../Skeleton'
import { InlineError } from '../states'
import type EmojiGrid from './EmojiGrid'

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
  placement?: 'bottom-start' | 'top-start'
}) {
  const [open, setOpen] = useState(false)
  const [grid, setGrid] = useState<{ default: typeof EmojiGrid } | 'failed'>()
  const hasChosen = useRef(false)
  const isLoaded = typeof grid === 'object'
  // During a retry, the error stays, so that the pressed button keeps focus.
  const load = () => import('./EmojiGrid').then(setGrid, () => setGrid('failed'))
  return (
    <Popover
      open={open}
      onOpenChange={(nextOpen) => {
        hasChosen.current = false
        setOpen(nextOpen)
        if (nextOpen && !isLoaded) void load()
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
      {isLoaded ? (
        <grid.default
          onChoose={(emoji) => {
            hasChosen.current = true
            setOpen(false)
            onChoose(emoji)
          }}
        />
      ) : (
        // As tall as the emojis.
        <Box display="grid" placeItems="center" minHeight="10.5rem">
          {grid ? <InlineError text={t`Couldn't load the emojis.`} onRetry={load} /> : <Spinner />}
        </Box>
      )}
    </Popover>
  )
}

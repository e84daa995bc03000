import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '../Button'
import { SmileIcon } from '../icons'
import { focusPanel, Popover } from '../Popover'
import { Spinner } from '../Skeleton'
import { InlineError } from '../states'
import type { EmojiGrid } from './EmojiGrid'

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
  const [grid, setGrid] = useState<{ Grid: typeof EmojiGrid } | 'loading' | 'failed'>('loading')
  const hasChosen = useRef(false)
  const load = async () => {
    try {
      const { EmojiGrid } = await import('./EmojiGrid')
      setGrid({ Grid: EmojiGrid })
    } catch {
      setGrid('failed')
    }
  }
  const retry = () => {
    // The button that was pressed disappears.
    if (open && document.activeElement instanceof HTMLElement) focusPanel(document.activeElement)
    setGrid('loading')
    void load()
  }
  return (
    <Popover
      open={open}
      onOpenChange={(nextOpen) => {
        hasChosen.current = false
        setOpen(nextOpen)
        if (nextOpen && typeof grid === 'string') retry()
      }}
      finalFocus={() => (hasChosen.current ? focusTarget.current : null)}
      placement={placement}
      title={t`Emoji`}
      trigger={
        <Button size="icon" variant="ghost" aria-label={t`Add an emoji`} onPointerEnter={() => void load()}>
          <SmileIcon />
        </Button>
      }
    >
      {typeof grid === 'object' ? (
        <grid.Grid
          onChoose={(emoji) => {
            hasChosen.current = true
            setOpen(false)
            onChoose(emoji)
          }}
        />
      ) : (
        // As tall as the emojis.
        <Box display="grid" placeItems="center" minHeight="10.5rem">
          {grid === 'failed' ? (
            <InlineError text={t`Couldn't load the emojis.`} onRetry={retry} />
          ) : (
            <Box role="status" aria-label={t`Loading`}>
              <Spinner />
            </Box>
          )}
        </Box>
      )}
    </Popover>
  )
}

import { chakra } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { Button } from '../Button'
import { SmileIcon } from '../icons'
import { Popover } from '../Popover'
import { Emoji } from './Emoji'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax({sizes.target}, 1fr))',
    gap: '1',
    padding: '3',
  },
})
const EmojiButton = chakra('button', {
  base: { height: 'target', fontSize: '2xl', borderRadius: 'sm', cursor: 'pointer', _hover: { bg: 'hover' } },
})

/** The emojis with their accessible names. */
export const emojis: [emoji: string, name: MessageDescriptor][] = [
  ['😀', msg`grinning`],
  ['😂', msg`tears of joy`],
  ['😍', msg`heart eyes`],
  ['🥰', msg`smiling with hearts`],
  ['😎', msg`cool`],
  ['🤔', msg`thinking`],
  ['😢', msg`crying`],
  ['😮', msg`surprised`],
  ['🥳', msg`partying`],
  ['🙏', msg`thanks`],
  ['👍', msg`thumbs up`],
  ['👏', msg`clapping`],
  ['💪', msg`strong`],
  ['🔥', msg`fire`],
  ['✨', msg`sparkles`],
  ['❤️', msg`heart`],
  ['🎉', msg`celebration`],
  ['🎤', msg`microphone`],
  ['📸', msg`camera`],
  ['🚀', msg`rocket`],
]

/**
 * Shows a button that opens a popover with emojis. Choosing one closes the popover and focuses `focusTarget`. A default
 * export, so that it can be loaded lazily.
 */
export default function EmojiPicker({
  onChoose,
  focusTarget,
  placement = 'bottom-start',
}: {
  onChoose: (emoji: string) => void
  focusTarget: RefObject<HTMLElement | null>
  placement?: 'bottom-start' | 'top-start'
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
      <Grid onKeyDown={moveFocus}>
        {emojis.map(([emoji, name]) => (
          <EmojiButton
            key={emoji}
            type="button"
            aria-label={t(name)}
            onClick={() => {
              hasChosen.current = true
              setOpen(false)
              onChoose(emoji)
            }}
          >
            <Emoji emoji={emoji} />
          </EmojiButton>
        ))}
      </Grid>
    </Popover>
  )
}

/** Moves the focus with the arrow keys, in addition to Tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button.matches(':focus'))
  const columns = getComputedStyle(event.currentTarget).gridTemplateColumns.split(' ').length
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
  if (index < 0 || step === undefined) return
  event.preventDefault()
  buttons[index + step]?.focus()
}

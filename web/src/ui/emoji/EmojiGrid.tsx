import { chakra } from '@chakra-ui/react'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isFocusLost } from '../restore-focus'
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
 * Shows the emojis. When the grid appears, its first emoji receives focus if the focus is in the panel around the grid
 * or was lost, for example because the pressed retry button was removed.
 */
export function EmojiGrid({ onChoose }: { onChoose: (emoji: string) => void }) {
  const grid = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const panel = grid.current?.closest('[role=dialog]')
    if (isFocusLost() || panel?.contains(document.activeElement))
      grid.current?.querySelector('button')?.focus()
  }, [])
  return (
    <Grid ref={grid} onKeyDown={moveFocus}>
      {emojis.map(([emoji, name]) => (
        <EmojiButton key={emoji} type="button" aria-label={t(name)} onClick={() => onChoose(emoji)}>
          <Emoji emoji={emoji} />
        </EmojiButton>
      ))}
    </Grid>
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

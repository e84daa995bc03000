import { chakra } from '@chakra-ui/react'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { SmileIcon } from '@/ui/icons'
import { Popover } from '@/ui/Popover'
import { emojis } from './emojis'

const Grid = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax({sizes.target}, 1fr))',
    gap: '1',
    padding: '3',
  },
})
const Choice = chakra('button', {
  base: { height: 'target', fontSize: '2xl', borderRadius: 'sm', cursor: 'pointer', _hover: { bg: 'hover' } },
})

/** Offers 20 emojis; choosing one closes it and leads back to `returnTo`. */
export function EmojiPicker({
  onChoose,
  returnTo,
}: {
  onChoose: (emoji: string) => void
  returnTo: RefObject<HTMLElement | null>
}) {
  const [open, setOpen] = useState(false)
  const chosen = useRef(false)
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        chosen.current = false
        setOpen(next)
      }}
      finalFocus={() => (chosen.current ? returnTo.current : null)}
      placement="bottom-start"
      title="Emoji"
      trigger={
        <Button size="icon" variant="ghost" aria-label="Add an emoji">
          <SmileIcon />
        </Button>
      }
    >
      <Grid>
        {emojis.map(([emoji, name]) => (
          <Choice
            key={emoji}
            type="button"
            aria-label={name}
            onClick={() => {
              chosen.current = true
              setOpen(false)
              onChoose(emoji)
            }}
          >
            {emoji}
          </Choice>
        ))}
      </Grid>
    </Popover>
  )
}

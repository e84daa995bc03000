import { chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useEffect, useRef, useState } from 'react'
import { isolateBidi } from '@/lib/bidi'
import { displayName } from '@/lib/text'
import { Badge } from '@/ui/Badge'
import { SparkIcon } from '@/ui/icons'
import { Tooltip } from '@/ui/Tooltip'

const Button = chakra('button', {
  base: {
    position: 'relative',
    display: 'inline-flex',
    borderRadius: 'full',
    cursor: 'help',
    // As much as a finger needs, in a line that is no higher for it.
    _before: { content: '""', position: 'absolute', insetInline: '0', insetBlock: '-0.625rem' },
  },
})

/** Milliseconds for which a press tells more. */
const toldFor = 6_000

/** Says that a program wrote a post. Hover, focus or a press tells how that came. */
export function AiBadge({ post }: { post: Post }) {
  const [open, setOpen] = useState(false)
  const told = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(told.current), [])
  /** A finger cannot hover. The tooltip closes itself with the press, so this comes after it. */
  const tell = () => {
    clearTimeout(told.current)
    told.current = setTimeout(() => {
      setOpen(true)
      told.current = setTimeout(() => setOpen(false), toldFor)
    })
  }
  const how = `A program wrote this. It was published in the name of ${isolateBidi(displayName(post.user))} with their consent.`
  return (
    <Tooltip label={how} open={open} onOpenChange={setOpen}>
      <Button type="button" aria-label={`Written with AI. ${how}`} onClick={tell}>
        <Badge tone="neutral">
          <SparkIcon /> Written with AI
        </Badge>
      </Button>
    </Tooltip>
  )
}

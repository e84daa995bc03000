import { chakra } from '@chakra-ui/react'
import { type FocusEvent, memo, useRef, useState } from 'react'
import type { ListPosition } from '../list-position'
import { isSameBlock, type PostBlock } from '../post-blocks'
import { PostCard } from './PostCard'
import { useNearViewport, useRememberedHeight } from './useNearViewport'

const Room = chakra('div')
const Slot = chakra('div', { base: { borderTopWidth: '1px' } })

/** The height that is reserved for a post before it was ever drawn, in pixels. */
const guess = 180

/**
 * Draws its posts near the window and keeps their room elsewhere, so that thousands of posts scroll like ten. What
 * somebody is working in stays drawn (the focus is there), and so does what they pressed or typed into: it may hold
 * more than the list knows.
 */
export const PostListBlock = memo(
  function PostStretch({
    stretch: { key, posts },
    place,
    drawn,
    stays,
  }: {
    stretch: PostBlock
    place: ListPosition
    /** Drawn from the first, before anybody looked where the window is. */
    drawn: boolean
    /** Once drawn it stays so: the list is short. */
    stays: boolean
  }) {
    const box = useRef<HTMLDivElement>(null)
    const near = useNearViewport(box, drawn)
    const [used, setUsed] = useState(false)
    const [focused, setFocused] = useState(false)
    const [seen, setSeen] = useState(drawn)
    if (near && !seen) setSeen(true)
    const shown = near || used || focused || (stays && seen)
    useRememberedHeight(box, shown, (height) => place.heights.set(key, height))
    const use = () => setUsed(true)
    const leave = (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    }
    return (
      <Room
        ref={box}
        data-stretch={key}
        onClickCapture={use}
        onInputCapture={use}
        onFocus={() => setFocused(true)}
        onBlur={leave}
        style={shown ? undefined : { height: place.heights.get(key) ?? posts.length * guess }}
      >
        {shown &&
          posts.map((post) => (
            <Slot key={post.id} data-post={post.id}>
              <PostCard post={post} />
            </Slot>
          ))}
      </Room>
    )
  },
  (before, after) =>
    before.place === after.place &&
    before.stays === after.stays &&
    isSameBlock(before.stretch, after.stretch),
)

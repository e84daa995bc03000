import { chakra } from '@chakra-ui/react'
import { type FocusEvent, memo, useEffect, useRef, useState } from 'react'
import { isSameBlock, type RowBlock } from '../model/thread-rows'
import { MessageGroup } from './MessageGroup'
import { DayDivider, UnreadDivider } from './ThreadDividers'
import type { VisibleBlocks } from './useVisibleBlocks'

const Room = chakra('div', { base: { display: 'flex', flexDirection: 'column', gap: '4' } })

/** The height reserved for a message that was never drawn, in pixels. */
const guess = 64

/**
 * Draws its messages near the visible part of the thread and keeps their room elsewhere, so that thousands of messages
 * scroll like fifty. What holds the focus stays drawn.
 */
export const ThreadBlock = memo(
  function ThreadBlock({
    block,
    nearness,
    drawn,
    seenId,
    reachableId,
  }: {
    block: RowBlock
    nearness: VisibleBlocks
    /** Drawn wherever it lies: the end of the thread, or what is being gone to. */
    drawn: boolean
    seenId: string | undefined
    reachableId: string | undefined
  }) {
    const box = useRef<HTMLDivElement>(null)
    const [near, setNear] = useState(drawn)
    const [focused, setFocused] = useState(false)
    const shown = near || drawn || focused
    const { heights, watch } = nearness
    useEffect(() => (box.current ? watch(box.current, setNear) : undefined), [watch])
    useEffect(() => {
      const element = box.current
      if (!element || !shown) return
      const sizes = new ResizeObserver(() => heights.set(block.key, element.offsetHeight))
      sizes.observe(element)
      return () => sizes.disconnect()
    }, [shown, heights, block.key])
    const leave = (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
    }
    const height = heights.get(block.key) ?? block.messages * guess
    return (
      <Room
        ref={box}
        data-block={block.key}
        onFocus={() => setFocused(true)}
        onBlur={leave}
        style={shown ? undefined : { height }}
      >
        {shown &&
          block.rows.map((row) => {
            if (row.kind === 'day') return <DayDivider key={row.key} time={row.time} />
            if (row.kind === 'unread') return <UnreadDivider key={row.key} />
            return <MessageGroup key={row.key} group={row.group} seenId={seenId} reachableId={reachableId} />
          })}
      </Room>
    )
  },
  (before, after) =>
    before.nearness === after.nearness &&
    before.drawn === after.drawn &&
    before.seenId === after.seenId &&
    before.reachableId === after.reachableId &&
    isSameBlock(before.block, after.block),
)

import { type Bubble, type BubbleGroup, groupBubbles } from './bubbles'

/** A row of the thread: a day divider, the unread divider or a group of bubbles. */
type ThreadRow =
  | { kind: 'day'; key: string; time: string }
  | { kind: 'unread'; key: string }
  | { kind: 'group'; key: string; group: BubbleGroup }

/** Rows that are rendered or virtualized together. */
export interface RowBlock {
  /** Stays the same when messages are loaded around the block, because the measured height is stored by key. */
  key: number
  rows: ThreadRow[]
  /** The number of messages, from which the height is estimated before it is measured. */
  messages: number
}

/** The number of messages in a block: few enough to render within one frame. */
const blockSize = 25

/** Returns the rows of a thread from top to bottom. A divider always starts a new group. */
export function threadRows(bubbles: Bubble[], unreadId: string | undefined): ThreadRow[] {
  const rows: ThreadRow[] = []
  let currentDay = ''
  let pendingBubbles: Bubble[] = []
  const flush = () => {
    for (const group of groupBubbles(pendingBubbles)) rows.push({ kind: 'group', key: group.key, group })
    pendingBubbles = []
  }
  for (const bubble of bubbles) {
    const day = new Date(bubble.createdAt).toDateString()
    if (day !== currentDay) {
      flush()
      currentDay = day
      rows.push({ kind: 'day', key: `day ${day}`, time: bubble.createdAt })
    }
    if (bubble.id === unreadId) {
      flush()
      rows.push({ kind: 'unread', key: 'unread' })
    }
    pendingBubbles.push(bubble)
  }
  flush()
  return rows
}

/**
 * Splits rows into blocks by message number; outbox items continue the numbering. A group that was rendered before
 * keeps its key and its block when messages are loaded around it: in another block, React would remount it, and it
 * would lose its focus and its loaded images.
 *
 * @param previousBlocks the blocks of the last render
 */
export function groupIntoBlocks(rows: ThreadRow[], previousBlocks: RowBlock[] = []): RowBlock[] {
  const previousPlaces = findPlaces(previousBlocks)
  const usedKeys = new Set<string>()
  const blocks: RowBlock[] = []
  let dividers: ThreadRow[] = []
  let seq = 0
  for (const row of rows) {
    if (row.kind !== 'group') {
      dividers.push(row)
      continue
    }
    const { bubbles } = row.group
    const place = bubbles
      .map(({ id }) => previousPlaces.get(id))
      .find((candidate) => candidate && !usedKeys.has(candidate.groupKey))
    seq = bubbles.findLast((bubble) => bubble.seq !== null)?.seq ?? seq + bubbles.length
    const lastBlock = blocks.at(-1)
    const blockKey = place?.blockKey ?? Math.floor(seq / blockSize)
    const block =
      lastBlock && lastBlock.key >= blockKey ? lastBlock : { key: blockKey, rows: [], messages: 0 }
    if (block !== lastBlock) blocks.push(block)
    // When a group splits in two, only the first keeps the key.
    const groupKey = place?.groupKey ?? (usedKeys.has(row.key) ? `${row.key} again` : row.key)
    usedKeys.add(groupKey)
    block.rows.push(...dividers, { ...row, key: groupKey })
    block.messages += bubbles.length
    dividers = []
  }
  return blocks
}

/** Returns the block and the group that contain each message, by message id. */
function findPlaces(blocks: RowBlock[]): Map<string, { blockKey: number; groupKey: string }> {
  const places = new Map<string, { blockKey: number; groupKey: string }>()
  for (const block of blocks) {
    for (const row of block.rows) {
      if (row.kind !== 'group') continue
      for (const { id } of row.group.bubbles) places.set(id, { blockKey: block.key, groupKey: row.key })
    }
  }
  return places
}

/** Returns true if two blocks display the same rows and bubbles. */
export function isSameBlock(a: RowBlock, b: RowBlock): boolean {
  return (
    a.key === b.key &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, index) => isSameRow(row, b.rows[index]))
  )
}

function isSameRow(a: ThreadRow, b: ThreadRow | undefined): boolean {
  if (a.kind !== b?.kind || a.key !== b.key) return false
  if (a.kind !== 'group' || b.kind !== 'group') return true
  const flags = ['beforePause', 'joinsPrevious', 'joinsNext'] as const
  if (flags.some((flag) => a.group[flag] !== b.group[flag])) return false
  const [aBubbles, bBubbles] = [a.group.bubbles, b.group.bubbles]
  return aBubbles.length === bBubbles.length && aBubbles.every((bubble, index) => bubble === bBubbles[index])
}

/** Returns the ids of a block's messages, in order. */
export function messageIdsInBlock(block: RowBlock): string[] {
  return block.rows.flatMap((row) => (row.kind === 'group' ? row.group.bubbles.map(({ id }) => id) : []))
}

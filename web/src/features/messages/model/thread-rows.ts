import { type Bubble, type BubbleGroup, groupBubbles } from './bubbles'

/** One thing in a thread, under the other: a day begins, the unread begin, or somebody writes. */
export type ThreadRow =
  | { kind: 'day'; key: string; time: string }
  | { kind: 'unread'; key: string }
  | { kind: 'group'; key: string; group: BubbleGroup }

/** Rows that are drawn together or not at all. */
export interface RowBlock {
  /** Stays the same whatever is loaded before or after: heights are remembered by it. */
  key: number
  rows: ThreadRow[]
  /** How many messages, for a first guess of its height. */
  messages: number
}

/** Messages of a block: few enough to be drawn between two frames. */
const length = 25

/** What a thread shows, from top to bottom. A day and the unread always begin a group of their own. */
export function threadRows(bubbles: Bubble[], unreadId: string | undefined): ThreadRow[] {
  const rows: ThreadRow[] = []
  let day = ''
  let part: Bubble[] = []
  const flush = () => {
    for (const group of groupBubbles(part)) rows.push({ kind: 'group', key: group.key, group })
    part = []
  }
  for (const bubble of bubbles) {
    const date = new Date(bubble.createdAt).toDateString()
    if (date !== day) {
      flush()
      day = date
      rows.push({ kind: 'day', key: `day ${date}`, time: bubble.createdAt })
    }
    if (bubble.id === unreadId) {
      flush()
      rows.push({ kind: 'unread', key: 'unread' })
    }
    part.push(bubble)
  }
  flush()
  return rows
}

/**
 * Cuts rows into blocks by the numbers of their messages; what is on its way will have the next ones. A group that was
 * drawn stays the same one in the same block, whatever is loaded before it or comes after it: in another place it would
 * be drawn anew, without the focus and the pictures it had.
 *
 * @param before how the thread was drawn last
 */
export function groupIntoBlocks(rows: ThreadRow[], before: RowBlock[] = []): RowBlock[] {
  const places = placesOf(before)
  const taken = new Set<string>()
  const blocks: RowBlock[] = []
  let waiting: ThreadRow[] = []
  let seq = 0
  for (const row of rows) {
    if (row.kind !== 'group') {
      waiting.push(row)
      continue
    }
    const { bubbles } = row.group
    const place = bubbles.map(({ id }) => places.get(id)).find((known) => known && !taken.has(known.group))
    seq = bubbles.findLast((bubble) => bubble.seq !== null)?.seq ?? seq + bubbles.length
    const last = blocks.at(-1)
    const key = place?.block ?? Math.floor(seq / length)
    const block = last && last.key >= key ? last : { key, rows: [], messages: 0 }
    if (block !== last) blocks.push(block)
    // What was one group and is two now has no name twice.
    const name = place?.group ?? (taken.has(row.key) ? `${row.key} again` : row.key)
    taken.add(name)
    block.rows.push(...waiting, { ...row, key: name })
    block.messages += bubbles.length
    waiting = []
  }
  return blocks
}

/** Where each message is drawn: in which block, and in the group of which key. */
function placesOf(blocks: RowBlock[]): Map<string, { block: number; group: string }> {
  const places = new Map<string, { block: number; group: string }>()
  for (const block of blocks) {
    for (const row of block.rows) {
      if (row.kind !== 'group') continue
      for (const { id } of row.group.bubbles) places.set(id, { block: block.key, group: row.key })
    }
  }
  return places
}

/** Whether two blocks show the very same. */
export function isSameBlock(one: RowBlock, other: RowBlock): boolean {
  return (
    one.key === other.key &&
    one.rows.length === other.rows.length &&
    one.rows.every((row, at) => isSameRow(row, other.rows[at]))
  )
}

function isSameRow(one: ThreadRow, other: ThreadRow | undefined): boolean {
  if (one.kind !== other?.kind || one.key !== other.key) return false
  if (one.kind !== 'group' || other.kind !== 'group') return true
  const [mine, theirs] = [one.group.bubbles, other.group.bubbles]
  return mine.length === theirs.length && mine.every((bubble, at) => bubble === theirs[at])
}

/** The ids of a block's messages, in order. */
export function messageIdsInBlock(block: RowBlock): string[] {
  return block.rows.flatMap((row) => (row.kind === 'group' ? row.group.bubbles.map((one) => one.id) : []))
}

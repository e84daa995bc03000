import { type Bubble, type BubbleGroup, groupBubbles } from '../groups'

/** One thing in a thread, under the other: a day begins, the unread begin, or somebody writes. */
export type Row =
  | { kind: 'day'; key: string; time: string }
  | { kind: 'unread'; key: string }
  | { kind: 'group'; key: string; group: BubbleGroup }

/** Rows that are drawn together or not at all. */
export interface Block {
  /** Stays the same whatever is loaded before or after: heights are remembered by it. */
  key: number
  rows: Row[]
  /** How many messages, for a first guess of its height. */
  messages: number
}

/** Messages of a block: few enough to be drawn between two frames. */
const length = 25

/** What a thread shows, from top to bottom. A day and the unread always begin a group of their own. */
export function rowsOf(bubbles: Bubble[], unreadId: string | undefined): Row[] {
  const rows: Row[] = []
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

/** Cuts rows into blocks by the numbers of their messages; what is on its way belongs to the last. */
export function blocksOf(rows: Row[]): Block[] {
  const blocks: Block[] = []
  let waiting: Row[] = []
  for (const row of rows) {
    if (row.kind !== 'group') {
      waiting.push(row)
      continue
    }
    // By the last: a group that goes on into older messages, which are loaded later, stays where it is drawn.
    const seq = row.group.bubbles.findLast((bubble) => bubble.seq !== null)?.seq ?? null
    const last = blocks.at(-1)
    const key = seq === null ? (last?.key ?? 0) : Math.floor(seq / length)
    const block = last && last.key >= key ? last : { key, rows: [], messages: 0 }
    if (block !== last) blocks.push(block)
    block.rows.push(...waiting, row)
    block.messages += row.group.bubbles.length
    waiting = []
  }
  return blocks
}

/** Whether two blocks show the very same. */
export function isSameBlock(one: Block, other: Block): boolean {
  return (
    one.key === other.key &&
    one.rows.length === other.rows.length &&
    one.rows.every((row, at) => isSameRow(row, other.rows[at]))
  )
}

function isSameRow(one: Row, other: Row | undefined): boolean {
  if (one.kind !== other?.kind || one.key !== other.key) return false
  if (one.kind !== 'group' || other.kind !== 'group') return true
  const [mine, theirs] = [one.group.bubbles, other.group.bubbles]
  return mine.length === theirs.length && mine.every((bubble, at) => bubble === theirs[at])
}

/** The ids of a block's messages, in order. */
export function idsOf(block: Block): string[] {
  return block.rows.flatMap((row) => (row.kind === 'group' ? row.group.bubbles.map((one) => one.id) : []))
}

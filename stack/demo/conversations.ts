import { idOf, type Random } from './numbers.ts'
import { type Talk, talks } from './texts/talks.ts'
import { type Touch, touches } from './texts/touches.ts'

interface DemoMessage {
  id: string
  sender: string
  receiver: string
  seq: number
  /** Empty when deleted. */
  content: string
  at: Date
  /** The message it answers. */
  answers?: string
  /** By username. */
  reactions: { emoji: string; user: string }[]
  pictured: boolean
  editedAt?: Date
  deletedAt?: Date
  /** The number of its last change within the conversation, 0 without one. */
  version: number
}

export interface DemoConversation {
  id: string
  /** The two usernames. */
  between: [string, string]
  messages: DemoMessage[]
  unread: number
  /** How many changes there were. */
  changes: number
}

/** The conversations with times counted back from `now`, their messages numbered from 1. */
export function makeConversations(now: Date, random: Random): DemoConversation[] {
  return talks.map((talk) => {
    const turns = readTurns(talk)
    const name = talk.between.join(' ')
    let at = now.getTime() - talk.ended * hour
    const messages: DemoMessage[] = []
    for (let index = turns.length - 1; index >= 0; index--) {
      const turn = turns[index]
      if (!turn) continue
      messages.unshift({
        id: idOf('message', `${name} ${index}`),
        sender: turn.from,
        receiver: turn.from === talk.between[0] ? talk.between[1] : talk.between[0],
        seq: index + 1,
        content: turn.content,
        at: new Date(at),
        reactions: [],
        pictured: false,
        version: 0,
      })
      // Somebody who goes on writes sooner than somebody who answers, and longer texts take longer.
      const answers = turns[index - 1]?.from !== turn.from
      at -=
        turn.pause + turn.content.length * 160 + random.between(answers ? 25 : 6, answers ? 190 : 45) * 1000
    }
    const changes = applyTouches(talk, messages)
    return {
      id: idOf('conversation', name),
      between: talk.between,
      messages,
      unread: talk.unread ?? 0,
      changes,
    }
  })
}

/** Does to the messages of a talk what became of them, and answers how many changes that were. */
function applyTouches({ between }: Talk, messages: DemoMessage[]): number {
  let changes = 0
  for (const touch of touches.filter((one) => one.between.join() === between.join())) {
    const message = find(messages, touch.begins)
    if (touch.answers !== undefined) message.answers = find(messages, touch.answers).id
    message.pictured = touch.pictured === true
    message.reactions = (touch.reactions ?? []).map(([user, emoji]) => ({ emoji, user }))
    change(message, touch)
    const done = message.reactions.length + (touch.became ? 1 : 0)
    changes += done
    if (done > 0) message.version = changes
  }
  return changes
}

function change(message: DemoMessage, { became }: Touch): void {
  const soon = new Date(message.at.getTime() + 90_000)
  if (became === 'edited') message.editedAt = soon
  if (became === 'deleted') Object.assign(message, { deletedAt: soon, content: '' })
}

function find(messages: DemoMessage[], begins: string): DemoMessage {
  const [found, ...others] = messages.filter(({ content }) => content.startsWith(begins))
  if (!found || others.length > 0) throw new Error(`No message, or more than one, begins with ${begins}.`)
  return found
}

interface Turn {
  from: string
  content: string
  /** Milliseconds of silence before it. */
  pause: number
}

const hour = 3_600_000
const units: Record<string, number> = { m: 60_000, h: hour, d: 24 * hour }

function readTurns(talk: Talk): Turn[] {
  const turns: Turn[] = []
  let pause = 0
  for (const line of talk.lines.trim().split('\n')) {
    const rest = line.slice(2)
    const silence = /^-- (\d+)([mhd])$/.exec(line)
    if (silence) pause = Number(silence[1]) * (units[silence[2] ?? ''] ?? 0)
    else if (line.startsWith('> ') || line.startsWith('< ')) {
      turns.push({ from: talk.between[line.startsWith('>') ? 0 : 1], content: rest, pause })
      pause = 0
    } else {
      const last = turns.at(-1)
      if (!last) throw new Error(`The talk of ${talk.between.join(' and ')} begins with no one.`)
      last.content += `\n${line}`
    }
  }
  const unread = turns.slice(turns.length - (talk.unread ?? 0))
  if (unread.some((turn) => turn.from !== unread[0]?.from)) {
    throw new Error(`The unread messages of ${talk.between.join(' and ')} are not of one sender.`)
  }
  return turns
}

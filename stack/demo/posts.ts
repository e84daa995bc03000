import { createRandom, idOf, type Random, seedOf } from './numbers.ts'
import type { Person, Theme } from './people.ts'
import { bikes } from './texts/bikes.ts'
import { bread } from './texts/bread.ts'
import { ceramics } from './texts/ceramics.ts'
import { everyday } from './texts/everyday.ts'
import { film } from './texts/film.ts'
import { food } from './texts/food.ts'
import { garden } from './texts/garden.ts'
import { ink } from './texts/ink.ts'
import { jazz } from './texts/jazz.ts'
import { sewing } from './texts/sewing.ts'
import { sky } from './texts/sky.ts'
import { trail } from './texts/trail.ts'
import { wood } from './texts/wood.ts'

export interface DemoPost {
  id: string
  author: string
  content: string
  /** Has a picture, after its author's theme. */
  pictured: boolean
  /** US dollars; what is paid for is the content, and the teaser is for everybody. */
  price?: number
  teaser?: string
  /** Part of what its author's subscribers get. */
  included?: boolean
  at: Date
}

const themed: Record<Theme, string[]> = {
  ceramics,
  trail,
  jazz,
  food,
  film,
  wood,
  sky,
  sewing,
  garden,
  ink,
  bread,
  bikes,
}

const hour = 3_600_000
const day = 24 * hour

/** Everything one person wrote, oldest first, spread over their time here and denser lately. */
export function makePosts(person: Person, now: Date, random: Random): DemoPost[] {
  const texts = person.theme ? themed[person.theme] : (everyday[person.username] ?? [])
  const times = spread(texts, person, now.getTime(), random)
  return texts.map((text, index) => {
    const id = idOf('post', `${person.username} ${index}`)
    return {
      id,
      author: person.username,
      content: text.replace(/^\+ /, ''),
      // Of its own stream, so that the times stay as they were. Only who has a theme can draw.
      pictured: person.theme !== undefined && createRandom(seedOf(`pictured ${id}`)).chance(0.6),
      at: new Date(times[index] ?? now),
    }
  })
}

/** A text that begins with `+ ` follows the one before within a day or so: it answers it. */
function spread(texts: string[], { joined, theme }: Person, now: number, random: Random): number[] {
  const heads = texts.filter((text) => !text.startsWith('+ ')).length
  const headTimes: number[] = []
  for (let index = 0; index < heads; index++) {
    const share = (heads - index - random.between(0, 0.7)) / heads
    const ago = (joined - 0.5) * share ** 1.7 * day
    const recent = random.between(0.7, 26) * hour
    // A creator's latest is from today, so that the feed begins now.
    const time = now - (theme && index === heads - 1 ? recent : Math.max(ago, recent))
    const awoken = awake(time, random)
    // What is new stays new, whatever the time of the demo's day.
    headTimes.push(time > now - 1.5 * day ? time : awoken)
  }
  headTimes.sort((a, b) => a - b)

  const times: number[] = []
  let head = -1
  for (const text of texts) {
    if (!text.startsWith('+ ')) times.push(headTimes[++head] ?? now)
    else {
      const before = times.at(-1) ?? now
      const room = (headTimes[head + 1] ?? now) - before
      times.push(before + Math.min(random.between(3, 26) * hour, room * 0.5))
    }
  }
  return times
}

/** Few people write between 1 and 5 in the morning: most of those times move to the day before. */
function awake(time: number, random: Random): number {
  const [earlier, sleepless] = [random.between(4, 12) * hour, random.chance(0.15)]
  const hours = new Date(time).getUTCHours()
  return hours >= 5 || hours < 1 || sleepless ? time : time - earlier
}

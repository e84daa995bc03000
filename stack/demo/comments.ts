import { createRandom, idOf, type Random } from './numbers.ts'
import type { DemoUnlock } from './paid.ts'
import type { Person } from './people.ts'
import type { DemoPost } from './posts.ts'
import { reactedAt } from './reactions.ts'
import type { Relations } from './relations.ts'
import { anyThreads, paidThreads, type Thread, themeThreads } from './texts/threads.ts'

/** A comment, or a reply to one. */
export interface DemoComment {
  id: string
  post: string
  author: string
  /** The comment that it replies to. */
  parent: string | null
  content: string
  at: Date
}

const day = 86_400_000

/** Draws what is said under posts: by those who may see them, under what is paid for by those who paid. */
export function makeComments(
  people: Person[],
  posts: DemoPost[],
  relations: Relations,
  unlocks: DemoUnlock[],
  now: Date,
): DemoComment[] {
  const byName = new Map(people.map((person) => [person.username, person]))
  const follows = new Set(relations.follows.map(({ from, to }) => `${from} ${to}`))
  const blocked = new Set(relations.blocks.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]))
  const comments: DemoComment[] = []
  const said = new Set<string>()

  /** Lets somebody begin a thread under a post, now that both are here. */
  const talk = (post: DemoPost, thread: Thread, random: Random): void => {
    const author = byName.get(post.author)
    const readers = people.filter(({ username }) => {
      const edge = `${username} ${post.author}`
      if (username === post.author || blocked.has(edge)) return false
      if (post.price !== undefined)
        return unlocks.some((one) => one.post === post.id && one.user === username)
      return author?.visibility === undefined
        ? follows.has(edge)
        : author.visibility === 'followers' && follows.has(edge)
    })
    const speaker = readers[Math.floor(random.next() * readers.length)]
    // The same words twice under one post would be an echo.
    const echo = `${post.id} ${thread[0]}`
    if (!speaker || said.has(echo)) return
    said.add(echo)
    const paid = unlocks.find((one) => one.post === post.id && one.user === speaker.username)
    const since = Math.max((paid?.at ?? post.at).getTime(), now.getTime() - speaker.joined * day)
    let at = reactedAt(since, now.getTime(), random)
    let parent: string | null = null
    for (const [turn, content] of thread.entries()) {
      const id = idOf('comment', `${post.id} ${speaker.username} ${content}`)
      const by = turn % 2 ? post.author : speaker.username
      comments.push({ id, post: post.id, author: by, parent, content, at: new Date(at) })
      parent ??= id
      at = reactedAt(at, now.getTime(), random)
    }
  }

  for (const post of posts) {
    if (post.price === undefined) continue
    const random = createRandom(Number.parseInt(post.id.slice(0, 8), 16))
    const first = Math.floor(random.next() * paidThreads.length)
    for (let turn = 0; turn < 3; turn++) {
      const thread = paidThreads[(first + turn) % paidThreads.length]
      if (thread) talk(post, thread, random)
    }
  }
  for (const person of people) {
    const free = posts
      .filter((post) => post.author === person.username && post.price === undefined)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
    const random = createRandom(Number.parseInt(idOf('talk', person.username).slice(0, 8), 16))
    const threads = person.theme ? themeThreads[person.theme] : anyThreads
    // What is said is said twice at most, half a year apart: once under something new, once under something old.
    for (const half of person.theme ? [0, 1] : [0]) {
      for (const thread of threads) {
        const place = Math.floor(((half + random.next()) / 2) * free.length)
        const post = free[place]
        if (post && random.chance(person.theme ? 0.95 : 0.3)) talk(post, thread, random)
      }
    }
  }
  return comments
}

import type { Connection } from '../support/connection.ts'
import type { Random } from '../support/random.ts'
import { signIn } from '../support/stack-users.ts'
import type { TestUser } from '../support/users.ts'

/** A write that can be repeated with the same ID. */
export interface Write {
  kind: 'message' | 'post' | 'comment' | 'tip' | 'unlock'
  /** The client-generated ID; for an unlock, the ID of the post. */
  id: string
  client: TestUser
  path: string
  body: Record<string, unknown>
  isAcknowledged: boolean
}

/**
 * A like on a post or comment, or a follow. `isOn` is null during a request, and after a failed one until `verify`
 * reads the stored state.
 */
export interface Toggle {
  kind: 'like' | 'comment-like' | 'follow'
  client: TestUser
  targetId: string
  isOn: boolean | null
}

/**
 * The users who write. Each creator has a post with a first comment. All users add comments to these posts. Fans also
 * like these posts and the first comments, and follow the creators.
 */
export interface World {
  fans: TestUser[]
  creators: { user: TestUser; postId: string; commentId: string }[]
}

const togglePaths: Record<Toggle['kind'], (id: string) => string> = {
  like: (id) => `/api/posts/${id}/like`,
  'comment-like': (id) => `/api/comments/${id}/like`,
  follow: (id) => `/api/users/${id}/follow`,
}

/** The statuses, other than 401, that a fault explains. */
const faultStatuses = [502, 503, 504]

/** What the clients have sent, and what was acknowledged. */
export class Clients {
  /** Every write once, even if it was sent several times. */
  readonly writes: Write[] = []
  readonly toggles: Toggle[] = []
  /** Responses that no fault explains. */
  readonly unexpected: string[] = []
  /** The number of failed requests, by status. Status 0 stands for no response or an incomplete one. */
  readonly failures: Record<string, number> = {}
  #connection: Connection
  readonly #world: World
  readonly #unlocked = new Set<string>()

  constructor(connection: Connection, world: World) {
    this.#connection = connection
    this.#world = world
    for (const client of world.fans) {
      for (const { user, postId, commentId } of world.creators) {
        this.toggles.push({ kind: 'like', client, targetId: postId, isOn: false })
        this.toggles.push({ kind: 'comment-like', client, targetId: commentId, isOn: false })
        this.toggles.push({ kind: 'follow', client, targetId: user.id, isOn: false })
      }
    }
  }

  set connection(connection: Connection) {
    this.#connection = connection
  }

  /** Sends one request after another until `isStopped` returns true. */
  async run(client: TestUser, random: Random, isStopped: () => boolean): Promise<void> {
    const unconfirmed: Write[] = []
    while (!isStopped()) {
      if (random.chance(0.2)) {
        await this.#toggle(client, random)
        continue
      }
      const retry = random.chance(0.3) ? unconfirmed.shift() : undefined
      const write = retry ?? this.#createWrite(client, random)
      await this.send(write)
      if (!write.isAcknowledged) unconfirmed.push(write)
      // Simulates a lost response: the client repeats a write that the server has acknowledged.
      else if (random.chance(0.1)) await this.send(write)
    }
  }

  /** Sends all unacknowledged writes again, and returns how many there were. */
  async retryUnacknowledged(): Promise<number> {
    const unacknowledged = this.writes.filter(({ isAcknowledged }) => !isAcknowledged)
    for (const write of unacknowledged) await this.send(write)
    return unacknowledged.length
  }

  async send(write: Write): Promise<void> {
    const response = await this.#request(write.client, write.path, write.body)
    if (response) write.isAcknowledged = true
  }

  #createWrite(client: TestUser, random: Random): Write {
    const { fans, creators } = this.#world
    const { user: creator, postId } = random.pick(creators)
    const isCreator = creators.some(({ user }) => user === client)
    const id = random.uuid()
    const add = (kind: Write['kind'], path: string, body: Record<string, unknown>, writeId = id): Write => {
      const write = { kind, id: writeId, client, path, body, isAcknowledged: false }
      this.writes.push(write)
      return write
    }
    const others = [...fans, ...creators.map(({ user }) => user)].filter((user) => user !== client)
    const kind = random.pick(['message', 'message', 'post', 'comment', 'tip', 'unlock'] as const)
    switch (kind) {
      case 'post':
        return add(kind, '/api/posts', {
          id,
          content: `Post ${id}`,
          ...(isCreator ? { isPremium: true, premiumPrice: (100 + random.below(500)) / 100 } : {}),
        })
      case 'comment':
        return add(kind, `/api/posts/${postId}/comments`, { id, content: `Comment ${id}` })
      case 'tip':
        if (isCreator) break
        return add(kind, `/api/users/${creator.id}/tip`, { id, amount: (100 + random.below(5000)) / 100 })
      case 'unlock': {
        const post = this.writes.findLast(
          (write) =>
            write.body.isPremium && write.isAcknowledged && !this.#unlocked.has(client.id + write.id),
        )
        if (isCreator || !post) break
        this.#unlocked.add(client.id + post.id)
        return add(kind, `/api/posts/${post.id}/unlock`, { amount: post.body.premiumPrice }, post.id)
      }
    }
    const content = `Message ${id}`
    return add('message', '/api/messages', { id, receiverId: random.pick(others).id, content })
  }

  async #toggle(client: TestUser, random: Random): Promise<void> {
    // While the state of a toggle is unknown, the server may still be processing the last request for it.
    const known = this.toggles.filter((toggle) => toggle.client === client && toggle.isOn !== null)
    if (known.length === 0) return
    const toggle = random.pick(known)
    const expected = !toggle.isOn
    toggle.isOn = null
    const path = togglePaths[toggle.kind](toggle.targetId)
    const body = await this.#request(client, path, undefined)
    if (!body) return
    toggle.isOn = body[toggle.kind === 'follow' ? 'following' : 'liked'] === true
    if (toggle.isOn !== expected) this.unexpected.push(`${path} returned ${JSON.stringify(body)}`)
  }

  /** Returns the body of a successful response, or null after any failure. */
  async #request(
    client: TestUser,
    path: string,
    body: Record<string, unknown> | undefined,
  ): Promise<Record<string, unknown> | null> {
    let status = 0
    try {
      const response = await fetch(`${this.#connection.apiUrl}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${client.token}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(8_000),
      })
      const text = await response.text()
      status = response.status
      if (response.ok) return JSON.parse(text)
      if (status === 401) await this.#renewSession(client)
      else if (!faultStatuses.includes(status))
        this.unexpected.push(`POST ${path} returned ${status}: ${text}`)
    } catch {
      // There was no response, or only an incomplete one.
    }
    this.failures[status] = (this.failures[status] ?? 0) + 1
    // Clients do not retry immediately.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return null
  }

  /** Refreshes the access token, or signs in again if the session has ended. */
  async #renewSession(client: TestUser): Promise<void> {
    const { apiUrl, publishableKey } = this.#connection
    const response = await fetch(`${apiUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: publishableKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: client.refreshToken }),
      signal: AbortSignal.timeout(8_000),
    })
    if (response.ok) {
      const { access_token, refresh_token } = await response.json()
      client.token = access_token
      client.refreshToken = refresh_token
    } else if (!faultStatuses.includes(response.status)) {
      Object.assign(client, await signIn(this.#connection, client))
    }
  }
}

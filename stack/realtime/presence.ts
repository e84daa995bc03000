/** Who is present on one topic, in the shape of Phoenix presence. */
import type { JsonObject } from './types.ts'

type Meta = JsonObject & { phx_ref: string }
type Metas = { metas: Meta[] }

/** By presence key; a key that is on two sockets has two metas. */
export type PresenceState = Record<string, Metas>
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState }

/** Close changes travel together, so that many who come at once do not cost a frame for each pair. */
const GATHER_MS = 25

// Refs of two lives of the server must differ, or a client would take a new presence for the old one.
const life = Date.now().toString(36)
let lastRef = 0

/** Keeps the present of one topic and reports changes, gathered for a moment. */
export class Presence {
  private readonly present = new Map<string, Map<object, Meta>>()
  /** Who has no room under their key: they come when one who is present goes, the first of them first. */
  private readonly waiting = new Map<string, Map<object, JsonObject>>()
  private joins = new Map<string, Meta[]>()
  private leaves = new Map<string, Meta[]>()
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param changed takes each gathered change */
  constructor(private readonly changed: (diff: PresenceDiff) => void) {}

  /**
   * Makes `owner` present under `key`; a second call replaces what it said before. Beyond the `most` that a key has
   * room for it waits: the key is present as long as anybody is there.
   */
  track(owner: object, key: string, payload: JsonObject, most: number): void {
    const owners = this.present.get(key) ?? new Map<object, Meta>()
    const before = owners.get(owner)
    if (!before && owners.size >= most) {
      const waiting = this.waiting.get(key) ?? new Map<object, JsonObject>()
      this.waiting.set(key, waiting.set(owner, payload))
      return
    }
    lastRef += 1
    const meta: Meta = { ...payload, phx_ref: `${life}-${lastRef}` }
    if (before) {
      meta.phx_ref_prev = before.phx_ref
      this.left(key, before)
    }
    owners.set(owner, meta)
    this.present.set(key, owners)
    this.note(this.joins, key, meta)
  }

  /** Takes `owner` away from `key`, and lets one who waited take the place; nothing happens when it is not there. */
  untrack(owner: object, key: string): void {
    const waiting = this.waiting.get(key)
    if (waiting?.delete(owner) && waiting.size === 0) this.waiting.delete(key)
    const owners = this.present.get(key)
    const meta = owners?.get(owner)
    if (!owners || !meta) return
    const most = owners.size
    owners.delete(owner)
    if (owners.size === 0) this.present.delete(key)
    this.left(key, meta)
    const [first] = waiting ?? []
    if (!first) return
    const [next, payload] = first
    this.untrack(next, key)
    this.track(next, key, payload, most)
  }

  /** Everybody present now. */
  state(): PresenceState {
    return toState([...this.present].map(([key, owners]) => [key, [...owners.values()]]))
  }

  /** Forgets what was to be reported. */
  stop(): void {
    clearTimeout(this.timer)
  }

  /** Who came and went within one report was never there. */
  private left(key: string, meta: Meta): void {
    const unreported = this.joins.get(key)
    const index = unreported?.indexOf(meta) ?? -1
    if (unreported && index >= 0) {
      unreported.splice(index, 1)
      if (unreported.length === 0) this.joins.delete(key)
      return
    }
    this.note(this.leaves, key, meta)
  }

  private note(side: Map<string, Meta[]>, key: string, meta: Meta): void {
    const metas = side.get(key)
    if (metas) metas.push(meta)
    else side.set(key, [meta])
    this.timer ??= setTimeout(() => this.report(), GATHER_MS)
  }

  private report(): void {
    this.timer = undefined
    if (this.joins.size === 0 && this.leaves.size === 0) return
    const diff = { joins: toState([...this.joins]), leaves: toState([...this.leaves]) }
    this.joins = new Map()
    this.leaves = new Map()
    this.changed(diff)
  }
}

/** An entry a key, even for a key like `__proto__`: `fromEntries` defines, it does not assign. */
function toState(entries: [string, Meta[]][]): PresenceState {
  return Object.fromEntries(entries.map(([key, metas]) => [key, { metas }]))
}

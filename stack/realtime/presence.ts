/** The presence of one topic, in the format of Phoenix presence. */
import type { JsonObject } from './types.ts'

type Meta = JsonObject & { phx_ref: string }
type Metas = { metas: Meta[] }

/** Metas by presence key. A key that is present on two sockets has two metas. */
export type PresenceState = Record<string, Metas>
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState }

/** Changes within this time are sent in one frame. Without batching, every join would send a frame to every member. */
const BATCH_MS = 25

// Refs must differ between two runs of the server, or a client would mistake a new presence for an old one.
const runId = Date.now().toString(36)
let lastRef = 0

/** Tracks who is present on one topic, and reports changes in batches. */
export class Presence {
  private readonly present = new Map<string, Map<object, Meta>>()
  /** Owners beyond the limit for their key, in order of arrival. The first becomes present when a slot becomes free. */
  private readonly waiting = new Map<string, Map<object, JsonObject>>()
  private joins = new Map<string, Meta[]>()
  private leaves = new Map<string, Meta[]>()
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param onChange receives each batch of changes */
  constructor(private readonly onChange: (diff: PresenceDiff) => void) {}

  /**
   * Makes `owner`, a channel, present under `key`, or replaces its payload. If `maxOwners` are already present under
   * the key, the owner waits.
   */
  track(owner: object, key: string, payload: JsonObject, maxOwners: number): void {
    const owners = this.present.get(key) ?? new Map<object, Meta>()
    const before = owners.get(owner)
    if (!before && owners.size >= maxOwners) {
      const waiting = this.waiting.get(key) ?? new Map<object, JsonObject>()
      this.waiting.set(key, waiting.set(owner, payload))
      return
    }
    lastRef += 1
    const meta: Meta = { ...payload, phx_ref: `${runId}-${lastRef}` }
    if (before) {
      meta.phx_ref_prev = before.phx_ref
      this.recordLeave(key, before)
    }
    owners.set(owner, meta)
    this.present.set(key, owners)
    this.record(this.joins, key, meta)
  }

  /** Removes `owner` from `key`. If the owner was present, the first waiting one becomes present. */
  untrack(owner: object, key: string): void {
    const waiting = this.waiting.get(key)
    if (waiting?.delete(owner) && waiting.size === 0) this.waiting.delete(key)
    const owners = this.present.get(key)
    const meta = owners?.get(owner)
    if (!owners || !meta) return
    const ownerCount = owners.size
    owners.delete(owner)
    if (owners.size === 0) this.present.delete(key)
    this.recordLeave(key, meta)
    const [first] = waiting ?? []
    if (!first) return
    const [next, payload] = first
    this.untrack(next, key)
    this.track(next, key, payload, ownerCount)
  }

  /** Returns the current presence state. */
  state(): PresenceState {
    return toState([...this.present].map(([key, owners]) => [key, [...owners.values()]]))
  }

  /** Discards changes that have not been reported. */
  stop(): void {
    clearTimeout(this.timer)
  }

  /** Records a leave or, if the join has not been reported yet, removes that join, so that neither is reported. */
  private recordLeave(key: string, meta: Meta): void {
    const unreported = this.joins.get(key)
    const index = unreported?.indexOf(meta) ?? -1
    if (unreported && index >= 0) {
      unreported.splice(index, 1)
      if (unreported.length === 0) this.joins.delete(key)
      return
    }
    this.record(this.leaves, key, meta)
  }

  private record(changes: Map<string, Meta[]>, key: string, meta: Meta): void {
    const metas = changes.get(key)
    if (metas) metas.push(meta)
    else changes.set(key, [meta])
    this.timer ??= setTimeout(() => this.report(), BATCH_MS)
  }

  private report(): void {
    this.timer = undefined
    if (this.joins.size === 0 && this.leaves.size === 0) return
    const diff = { joins: toState([...this.joins]), leaves: toState([...this.leaves]) }
    this.joins = new Map()
    this.leaves = new Map()
    this.onChange(diff)
  }
}

/**
 * Returns the presence state for keys and their metas. `fromEntries` defines properties instead of assigning them, so a
 * key named `__proto__` is safe.
 */
function toState(entries: [string, Meta[]][]): PresenceState {
  return Object.fromEntries(entries.map(([key, metas]) => [key, { metas }]))
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Recording } from './prepared-reads.ts'

/** A request in progress, and what the hooks in `connection.ts` and `json-rows.ts` record about it. */
export interface DataApiRequest {
  signal: AbortSignal
  /** The network that the request comes from. */
  network: string
  /**
   * The request's ID in the logs. Also the transaction's `application_name`, so that a cancellation affects only this
   * query.
   */
  id: string
  /** The response, if a hook has rejected the request. */
  rejection?: Response
  /** Releases the request's slots in `Admission`. */
  leave?: () => void
  /** The process ID of the PostgreSQL backend while the query runs. */
  backend?: number
  /** What lite runs for the request. Undefined unless the request is recorded. */
  recording?: Recording
}

export const currentRequest = new AsyncLocalStorage<DataApiRequest>()

/** The caller of a request, as lite describes it: a user, or a visitor. */
export interface Auth {
  uid?: string | null
  role?: string
  /** The claims of the caller's JWT. */
  jwt?: unknown
}

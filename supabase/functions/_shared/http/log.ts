import { env } from '../env.ts'
import { recordError } from './recent-errors.ts'
import { type CompletedRequest, currentRequest } from './request-context.ts'

const levels = { debug: 0, info: 1, warn: 2, error: 3 } as const
type Level = keyof typeof levels

/**
 * Writes one JSON line to stderr if the level is at least `LOG_LEVEL`. Never log what users wrote, their tokens or
 * their addresses.
 *
 * @param event what happened, in snake_case
 */
export function log(
  level: Level,
  event: string,
  fields: Record<string, string | number | boolean | undefined> = {},
) {
  const requestId = currentRequest()?.requestId
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, requestId, ...fields })
  if (level === 'warn' || level === 'error') recordError(line)
  if (levels[level] >= levels[env.logLevel]) console.error(line)
}

/** Writes the access log line of a request, unless `ACCESS_LOG` is off. */
export function logAccess({ method, route, status, ms, caller }: CompletedRequest): void {
  if (env.accessLog) log('info', 'request_completed', { method, route, status, ms, caller })
}

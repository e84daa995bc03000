import { env } from '../env.ts'

const levels = { debug: 0, info: 1, warn: 2, error: 3 } as const
type Level = keyof typeof levels

/**
 * Writes one JSON line to stderr if the level is at least `LOG_LEVEL`. Never log what users wrote, nor their tokens or
 * addresses.
 *
 * @param event what happened, in snake_case
 */
export function log(
  level: Level,
  event: string,
  fields: Record<string, string | number | boolean | undefined> = {},
) {
  if (levels[level] < levels[env.logLevel]) return
  console.error(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }))
}

import type { LogLevel } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'

/** The configuration of the process that runs the Data API. */
export interface DataApiConfig extends ServiceKeys {
  logLevel: LogLevel
  root: string
  databaseUrl: string
  port: number
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  rateLimits: boolean
  /** The share of the CPU time that queries may use, in percent. */
  cpuPercent: number
}

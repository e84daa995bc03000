import type { LogLevel } from '../shared/log.ts'

/** The configuration of the process that runs the Data API. */
export interface DataApiConfig {
  logLevel: LogLevel
  root: string
  databaseUrl: string
  port: number
  jwtSecret: string
  publishableKey: string
  secretKey: string
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  rateLimits: boolean
  /** How much of the processors' time queries may take, in percent. */
  cpuPercent: number
}

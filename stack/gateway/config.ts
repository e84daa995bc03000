import type { LogLevel } from '../shared/log.ts'

/** What the supervisor hands to the server process. The functions read the environment instead. */
export interface GatewayConfig {
  logLevel: LogLevel
  root: string
  host: string
  port: number
  /** Loopback port for the supervisor alone: jobs and health. */
  internalPort: number
  /** Address of Auth, Data API and Storage. */
  liteUrl: string
  /** Origin that people use. */
  publicUrl: string
  turnstile: boolean
  /** How many proxies stand in front of the gateway. */
  trustProxy: number
  realtime: {
    /** The address of the role `realtime_admin`. */
    databaseUrl: string
    jwtSecret: string
    publishableKey: string
    secretKey: string
    /** Off for load tests: how many sockets one account or address may open is not limited then. */
    rateLimits: boolean
  }
}

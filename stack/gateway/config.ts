import type { LogLevel } from '../shared/log.ts'

/** The configuration of the gateway process. The edge functions in it read the environment instead. */
export interface GatewayConfig {
  logLevel: LogLevel
  root: string
  host: string
  port: number
  /** A loopback port for the supervisor only: jobs and health checks. */
  internalPort: number
  /** Auth, Data API and Storage. */
  liteUrl: string
  /** The public origin. */
  publicUrl: string
  turnstile: boolean
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  realtime: {
    /** Signs in as the role `realtime_admin`. */
    databaseUrl: string
    jwtSecret: string
    publishableKey: string
    secretKey: string
    /** Whether sockets and joins per account and network are limited. Off for load tests. */
    rateLimits: boolean
  }
}

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
  realtime: { databaseUrl: string; jwtSecret: string; publishableKey: string; secretKey: string }
}

import type { LogLevel } from '../shared/log.ts'

/** The configuration of the process that runs the studio. */
export interface StudioConfig {
  logLevel: LogLevel
  root: string
  dataDir: string
  appName: string
  port: number
  /** Both the path of the URL that opens the studio and the value of the studio's cookie. */
  secret: string
  /** The superuser's database URL. */
  databaseUrl: string
  /** The URL of the gateway on this machine. */
  gatewayUrl: string
  /** The URL of the `lite` process, which runs Storage. */
  liteUrl: string
  secretKey: string
}

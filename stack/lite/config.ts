import type { LogLevel } from '../shared/log.ts'

/** The configuration of the process that runs Auth, Data API and Storage. */
export interface LiteConfig {
  logLevel: LogLevel
  root: string
  dataDir: string
  databaseUrl: string
  port: number
  mailbox: { port: number; secret: string; smtpUrl: string | null; publicUrl: string; appName: string }
  studio: { port: number; secret: string }
  /** The origin of links in emails. */
  siteUrl: string
  jwtSecret: string
  publishableKey: string
  secretKey: string
}

import type { LogLevel } from '../shared/log.ts'

/** What the supervisor hands to the process of Auth, Data API and Storage. */
export interface LiteConfig {
  logLevel: LogLevel
  root: string
  dataDir: string
  databaseUrl: string
  port: number
  mailbox: { port: number; secret: string; smtpUrl: string | null; publicUrl: string; appName: string }
  studio: { port: number; secret: string }
  /** Where links in mails lead. */
  siteUrl: string
  jwtSecret: string
  publishableKey: string
  secretKey: string
}

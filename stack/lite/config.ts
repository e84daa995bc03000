import type { LogLevel } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'

/** The configuration of the process that runs Auth, the Data API, Storage, the mailbox and the studio. */
export interface LiteConfig extends ServiceKeys {
  logLevel: LogLevel
  root: string
  dataDir: string
  databaseUrl: string
  port: number
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  mailbox: { port: number; secret: string; smtpUrl: string | null; publicUrl: string; appName: string }
  studio: { port: number; secret: string }
  /** The origin of links in emails. */
  siteUrl: string
}

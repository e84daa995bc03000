import type { LogLevel } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'

/** The configuration of the process that runs Auth, Storage and the mailbox. */
export interface LiteConfig extends ServiceKeys {
  logLevel: LogLevel
  root: string
  dataDir: string
  databaseUrl: string
  port: number
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  mailbox: { port: number; secret: string; smtpUrl: string | null; publicUrl: string; appName: string }
}

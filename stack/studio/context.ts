import type postgres from 'postgres'
import type { Log } from '../shared/log.ts'
import type { StudioConfig } from './config.ts'

/** The context that the studio's pages share. */
export interface StudioContext {
  config: StudioConfig
  /** Connections as the superuser. Their transactions are read-only unless they begin with `read write`. */
  sql: postgres.Sql
  log: Log
  /** The path prefix of all pages. */
  basePath: string
  /** The CSRF token, which every POST form must send in the hidden field `token`. */
  formToken: string
}

import type postgres from 'postgres'
import type { Log } from '../shared/log.ts'
import type { StudioConfig } from './config.ts'

/** What the pages of the studio need. */
export interface StudioContext {
  config: StudioConfig
  /** Connections as the superuser. Their transactions are read-only unless they begin with `read write`. */
  sql: postgres.Sql
  log: Log
  /** The path below which all pages are. */
  basePath: string
  /** The value of the hidden field `token`, without which a form is rejected. */
  formToken: string
}

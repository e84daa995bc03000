import type { LogLevel } from '../shared/log.ts'
import type { ServiceKeys } from '../shared/service-keys.ts'

/** The configuration of the gateway process. The edge functions in this process read the environment instead. */
export interface GatewayConfig {
  logLevel: LogLevel
  root: string
  host: string
  port: number
  /** The loopback port for job runs, metrics and the Realtime health check. */
  internalPort: number
  /** The URL of Auth and Storage. */
  liteUrl: string
  dataApiUrl: string
  /** The public origin. */
  publicUrl: string
  /** Whether the demo accounts exist. If so, only requests to a loopback host are served. */
  demo: boolean
  /** Whether Turnstile is the captcha. */
  turnstile: boolean
  /** How many trusted proxies are in front of the gateway. */
  trustProxy: number
  /** How many requests per second one network may send to the Data API, or null for no limit. */
  dataApiRate: number | null
  /** How many requests per second one network may send to Auth, or null for no limit. */
  authRate: number | null
  /** How many requests per second one network may send to Storage, or null for no limit. */
  storageRate: number | null
  /** Whether each request is logged. */
  accessLog: boolean
  /** The token that authorizes `GET /metrics` on the public port; null turns the endpoint off there. */
  metricsToken: string | null
  realtime: ServiceKeys & {
    /** The database URL of the `realtime_admin` role. */
    databaseUrl: string
    /**
     * Whether to limit the total number of sockets, and the sockets, channels, joins and bytes of each account or
     * network. Off for load tests.
     */
    rateLimits: boolean
  }
}

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exists } from '../shared/durable.ts'
import type { Log } from '../shared/log.ts'
import type { GatewayConfig } from './config.ts'

/** What `stack/realtime/server.ts` gives. */
export interface Realtime {
  handleUpgrade(request: Request): Response | Promise<Response>
  handleHttp(request: Request): Promise<Response>
  healthy(): Promise<boolean>
  close(): Promise<void>
}

type CreateRealtime = (options: GatewayConfig['realtime'] & { log: Log }) => Promise<Realtime>

/** Starts the Realtime server, or answers null where there is none. */
export async function startRealtime(config: GatewayConfig, log: Log): Promise<Realtime | null> {
  const path = join(config.root, 'stack', 'realtime', 'server.ts')
  if (!(await exists(path))) return null
  const { createRealtime }: { createRealtime: CreateRealtime } = await import(pathToFileURL(path).href)
  return await createRealtime({ ...config.realtime, log })
}

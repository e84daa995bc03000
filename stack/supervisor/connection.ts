import { join } from 'node:path'
import { writeDurably } from '../shared/durable.ts'
import type { Addresses } from './parts.ts'
import type { Secrets } from './secrets.ts'

/** DATA_DIR/connection.json: how programs of this machine's user reach a stack that is ready. */
export async function writeConnection(
  dataDir: string,
  addresses: Addresses,
  secrets: Secrets,
): Promise<void> {
  const connection = {
    apiUrl: addresses.gateway,
    databaseUrl: addresses.database,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    jobSecret: secrets.jobSecret,
    jobsUrl: `${addresses.internal}/jobs`,
    mailUrl: addresses.mailbox,
    studioUrl: addresses.studio,
    pid: Deno.pid,
  }
  await writeDurably(join(dataDir, 'connection.json'), `${JSON.stringify(connection, null, 2)}\n`)
}

/** Where it is, the stack is ready: gone before anything stops, and when a start finds an old one. */
export async function removeConnection(dataDir: string): Promise<void> {
  await Deno.remove(join(dataDir, 'connection.json')).catch(() => undefined)
}

import { join } from 'node:path'
import { writeFileAtomic } from '../shared/files.ts'
import type { ServiceUrls } from './processes.ts'
import type { Secrets } from './secrets.ts'

/** Writes DATA_DIR/connection.json, which contains the URLs and keys of a running stack for the operator's programs. */
export async function writeConnectionFile(
  dataDir: string,
  urls: ServiceUrls,
  secrets: Secrets,
): Promise<void> {
  const connection = {
    apiUrl: urls.gateway,
    databaseUrl: urls.database,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    jobSecret: secrets.jobSecret,
    jobsUrl: `${urls.internal}/jobs`,
    metricsUrl: `${urls.internal}/metrics`,
    mailUrl: urls.mailbox,
    studioUrl: urls.studio,
    pid: Deno.pid,
  }
  await writeFileAtomic(join(dataDir, 'connection.json'), `${JSON.stringify(connection, null, 2)}\n`)
}

/**
 * Removes DATA_DIR/connection.json. While the file exists, programs assume that the stack accepts requests, so it is
 * removed before anything stops. It is also removed at startup, because a killed stack leaves the file behind.
 */
export async function removeConnectionFile(dataDir: string): Promise<void> {
  await Deno.remove(join(dataDir, 'connection.json')).catch(() => undefined)
}

import { join } from 'node:path'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../shared/files.ts'

/** The loopback ports that only programs of this machine use. */
export interface Ports {
  database: number
  lite: number
  mailbox: number
  studio: number
  /** Where the supervisor reaches the gateway process: jobs and health checks. */
  internal: number
}

const names = ['database', 'lite', 'mailbox', 'studio', 'internal'] as const

function isFree(hostname: string, port: number): boolean {
  try {
    Deno.listen({ hostname, port }).close()
    return true
  } catch {
    return false
  }
}

/** Below the ephemeral port range, so that the operating system never gives one of our ports to another program. */
const range = { first: 20_000, last: 32_000 }

/** Returns any free port of the range. */
function pickPort(): number {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * (range.last - range.first))
    if (isFree('127.0.0.1', port)) return port
  }
}

/**
 * Picks free ports. Reuses the ports of the last run where possible, so that a bookmarked mailbox keeps its address.
 *
 * @param gatewayPort is never picked
 */
export async function pickPorts(dataDir: string, gatewayPort: number): Promise<Ports> {
  const path = join(dataDir, 'ports.json')
  let last: Partial<Ports> = {}
  try {
    last = JSON.parse((await readTextIfExists(path)) ?? '{}')
  } catch {
    // The file is only a convenience: a damaged one is replaced.
  }
  const ports: Partial<Ports> = {}
  const taken = new Set([gatewayPort])
  for (const name of names) {
    const lastPort = last[name]
    let port = lastPort && isFree('127.0.0.1', lastPort) ? lastPort : pickPort()
    while (taken.has(port)) port = pickPort()
    taken.add(port)
    ports[name] = port
  }
  await writeFileAtomic(path, JSON.stringify(ports))
  return ports as Ports
}

/**
 * Fails early when the gateway will not be able to listen. A taken port is tried again for two seconds: a gateway
 * whose supervisor was killed needs a moment to notice and exit.
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const hostname = host.replace(/^\[|\]$/g, '')
  for (let attempt = 0; ; attempt++) {
    try {
      Deno.listen({ hostname, port }).close()
      return
    } catch (error) {
      if (error instanceof Deno.errors.AddrInUse) {
        if (attempt < 10) {
          await new Promise((resolve) => setTimeout(resolve, 200))
          continue
        }
        throw new StartupError(
          `Port ${port} is taken by another program: stop it, or set PORT to a free one.`,
        )
      }
      if (error instanceof Deno.errors.PermissionDenied) {
        throw new StartupError(`Port ${port} needs root privileges: set PORT to one above 1023.`)
      }
      throw new StartupError(
        `HOST is "${host}", but this machine cannot listen there (${errorMessage(error)}).`,
      )
    }
  }
}

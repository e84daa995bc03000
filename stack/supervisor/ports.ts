import { join } from 'node:path'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../shared/files.ts'

/** The loopback ports of the stack, which only programs on this machine can use. */
export interface Ports {
  database: number
  lite: number
  dataApi: number
  mailbox: number
  studio: number
  /** The gateway process's second port, for job runs, health checks and metrics. */
  internal: number
}

const names = ['database', 'lite', 'dataApi', 'mailbox', 'studio', 'internal'] as const

function isFree(hostname: string, port: number): boolean {
  try {
    Deno.listen({ hostname, port }).close()
    return true
  } catch {
    return false
  }
}

/**
 * The ports to pick from. They are below the ephemeral port range, so the operating system never assigns one of them to
 * another program.
 */
const range = { first: 20_000, last: 32_000 }

/** Returns a random free port in the range. */
function pickPort(): number {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * (range.last - range.first))
    if (isFree('127.0.0.1', port)) return port
  }
}

/**
 * Picks free ports. Reuses the last run's ports where possible, so that a bookmark for the mailbox keeps working.
 *
 * @param gatewayPort the public port, which is never picked
 */
export async function pickPorts(dataDir: string, gatewayPort: number): Promise<Ports> {
  const path = join(dataDir, 'ports.json')
  let last: Partial<Ports> = {}
  try {
    last = JSON.parse((await readTextIfExists(path)) ?? '{}')
  } catch {
    // A damaged file is replaced. The only effect is that the ports change.
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
 * Checks that the gateway will be able to listen. Retries a taken port for two seconds, because a gateway whose
 * supervisor was killed needs a moment to exit.
 *
 * @throws StartupError if the port is taken or needs root privileges, or if the host is not an address of this machine
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

import { join } from 'node:path'
import { readIfThere, writeDurably } from '../shared/durable.ts'
import { messageOf, Sentence } from '../shared/sentence.ts'

/** The loopback ports that only this machine's programs use. */
export interface Ports {
  database: number
  lite: number
  mailbox: number
  studio: number
  /** Where the supervisor reaches the gateway process: jobs and health. */
  internal: number
}

const names = ['database', 'lite', 'mailbox', 'studio', 'internal'] as const

function free(hostname: string, port: number): boolean {
  try {
    Deno.listen({ hostname, port }).close()
    return true
  } catch {
    return false
  }
}

/** Below the ports that systems give to whoever asks for any, so that nobody gets one of ours by chance. */
const range = { first: 20_000, last: 32_000 }

/** Any free port of the range. */
function pick(): number {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * (range.last - range.first))
    if (free('127.0.0.1', port)) return port
  }
}

/**
 * Picks free ports, those of last time if they still are, so that a bookmarked mailbox stays where it was.
 *
 * @param gateway the port that people use, which is none of these
 */
export async function pickPorts(dataDir: string, gateway: number): Promise<Ports> {
  const path = join(dataDir, 'ports.json')
  let last: Partial<Ports> = {}
  try {
    last = JSON.parse((await readIfThere(path)) ?? '{}')
  } catch {
    // Only a convenience: a damaged file is written anew.
  }
  const ports: Partial<Ports> = {}
  const taken = new Set([gateway])
  for (const name of names) {
    const wanted = last[name]
    let port = wanted && free('127.0.0.1', wanted) ? wanted : pick()
    while (taken.has(port)) port = pick()
    taken.add(port)
    ports[name] = port
  }
  await writeDurably(path, JSON.stringify(ports))
  return ports as Ports
}

/**
 * Fails early where the gateway will not be able to listen. A gateway whose supervisor was killed needs a
 * moment to notice and go, so a taken port is looked at again for two seconds.
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
        throw new Sentence(`Port ${port} is taken by another program: stop it, or set PORT to a free one.`)
      }
      if (error instanceof Deno.errors.PermissionDenied) {
        throw new Sentence(`Port ${port} needs more rights than this user has: set PORT to one above 1023.`)
      }
      throw new Sentence(`HOST is "${host}" but this machine cannot listen there (${messageOf(error)}).`)
    }
  }
}

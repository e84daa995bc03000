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

function pick(): number {
  const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const { port } = listener.addr
  listener.close()
  return port
}

/** Picks free ports, those of last time if they still are, so that a bookmarked mailbox stays where it was. */
export async function pickPorts(dataDir: string): Promise<Ports> {
  const path = join(dataDir, 'ports.json')
  let last: Partial<Ports> = {}
  try {
    last = JSON.parse((await readIfThere(path)) ?? '{}')
  } catch {
    // Only a convenience: a damaged file is written anew.
  }
  const ports: Partial<Ports> = {}
  const taken = new Set<number>()
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

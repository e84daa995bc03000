import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { failed, tooLarge } from '../shared/answers.ts'
import type { Log } from '../shared/log.ts'
import { messageOf } from '../shared/sentence.ts'
import { announcesTooMuch, isSmall, watchBody } from './body.ts'
import { inwardHeaders } from './headers.ts'

/** An edge function, as it is deployed: `export default { fetch }`. */
export interface EdgeFunction {
  fetch(request: Request): Response | Promise<Response>
}

/** The largest body that the API takes: an upload of 100 MB and what surrounds it. */
const limit = 110 * 1024 * 1024

/** Loads a function of the project by its name. */
export async function loadFunction(root: string, name: string): Promise<EdgeFunction> {
  const path = join(root, 'supabase', 'functions', name, 'index.ts')
  const module: { default?: Partial<EdgeFunction> } = await import(pathToFileURL(path).href)
  const loaded = module.default
  if (typeof loaded?.fetch !== 'function') throw new Error(`the function ${name} exports no fetch`)
  return { fetch: loaded.fetch.bind(loaded) }
}

/**
 * Calls a function as the platform would: limited in size and time, its failures as plain answers.
 *
 * @param patience milliseconds that its answer may take; without it, as any call
 */
export async function callFunction(
  called: EdgeFunction,
  request: Request,
  peer: string,
  log: Log,
  patience?: number,
): Promise<Response> {
  if (announcesTooMuch(request, limit)) return tooLarge()
  const watched = watchBody(request, limit, patience)
  const cut = new Promise<never>((_, reject) => {
    watched.signal.addEventListener('abort', () => reject(watched.signal.reason))
  })
  try {
    const headers = inwardHeaders(request, peer)
    const { signal } = watched
    const body = isSmall(request) ? await Promise.race([watched.whole(), cut]) : watched.watch()
    const inward = new Request(request.url, { method: request.method, headers, body, signal })
    const answer = await Promise.race([called.fetch(inward), cut])
    return watched.refusal() ?? answer
  } catch (error) {
    const refusal = watched.refusal()
    if (refusal) return refusal
    if (!request.signal.aborted) log.error('a function failed', { reason: messageOf(error) })
    return failed()
  } finally {
    watched.answered()
  }
}

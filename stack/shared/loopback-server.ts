import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import { internalError } from './error-responses.ts'
import { errorMessage } from './errors.ts'
import type { Log } from './log.ts'

/**
 * Starts a server that only programs on this machine can reach.
 *
 * @param handle gets a request and the address of its client
 * @param failureEvent the log event for a request whose handler throws
 */
export function startLoopbackServer(
  port: number,
  log: Log,
  handle: (request: Request, peer: string) => Response | Promise<Response>,
  failureEvent = 'request_failed',
): { stop: (timeoutMs: number) => Promise<void> } {
  const server = Deno.serve(
    {
      hostname: '127.0.0.1',
      port,
      onListen: () => undefined,
      onError: (error) => {
        log.error(failureEvent, { reason: errorMessage(error) })
        return internalError()
      },
    },
    (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
  )
  return { stop: (timeoutMs) => withTimeout(server.shutdown(), timeoutMs).catch(() => undefined) }
}

/** Returns the response to a health check: 200, or 503 if `check` throws. */
export async function healthResponse(
  service: string,
  log: Log,
  check: () => Promise<unknown>,
): Promise<Response> {
  try {
    await check()
    return Response.json({ status: 'ok' })
  } catch (error) {
    log.warn('health_check_failed', { service, reason: errorMessage(error) })
    return Response.json({ status: 'failing' }, { status: 503 })
  }
}

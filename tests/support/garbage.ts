import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Runs the garbage collector every 10 ms until the returned function is called. This reveals timeouts that never fire
 * because nothing references their abort signals.
 */
export function keepCollectingGarbage(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(collect, 10)
  return () => clearInterval(timer)
}

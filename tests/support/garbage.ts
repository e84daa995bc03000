import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage until the returned function is called, to reveal timers and signals that nothing holds. */
export function keepCollectingGarbage(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(collect, 10)
  return () => clearInterval(timer)
}

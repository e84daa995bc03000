export interface Throttled {
  /** Runs the action now, or after the wait if it has run within the last `waitMs`. */
  call: () => void
  /** Runs the action now if a run is pending. */
  flush: () => void
  /** Cancels a pending run. */
  stop: () => void
}

/** Collects values and handles them together, at most once every `waitMs` and not while `isBusy` returns true. */
export function batch<Value>(
  waitMs: number,
  isBusy: () => boolean,
  handle: (values: ReadonlySet<Value>) => void,
): { add: (value: Value) => void; stop: () => void } {
  let values = new Set<Value>()
  const throttled = throttle(waitMs, () => {
    if (isBusy()) {
      throttled.call()
      return
    }
    const collected = values
    values = new Set()
    handle(collected)
  })
  return {
    add: (value) => {
      values.add(value)
      throttled.call()
    },
    stop: throttled.stop,
  }
}

/** Limits an action to one run every `waitMs`. Calls in between result in one more run at the end of the wait. */
export function throttle(waitMs: number, action: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false

  const run = () => {
    isWaiting = false
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) run()
    }, waitMs)
    action()
  }
  return {
    call: () => {
      if (timer === undefined) run()
      else isWaiting = true
    },
    flush: () => {
      if (isWaiting) run()
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      isWaiting = false
    },
  }
}

/**
 * `call` acts at once, then at most once in `wait` milliseconds; a call that came too soon is made up for when they
 * are over, so that the last one always counts. `flush` makes up for it now.
 */
export function throttle(wait: number, act: () => void): { call: () => void; flush: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let owed = false

  const go = () => {
    owed = false
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      if (owed) go()
    }, wait)
    act()
  }
  return {
    call: () => {
      if (timer === undefined) go()
      else owed = true
    },
    flush: () => {
      if (owed) go()
    },
  }
}

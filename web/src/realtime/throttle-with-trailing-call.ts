/**
 * Has `action` done at once, and when it is asked for again within `pause` milliseconds, once more at their end: so
 * that a hundred likes in a moment are not a hundred readings.
 */
export function throttleWithTrailingCall(
  action: () => void,
  pause: number,
): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const run = () => {
    again = false
    action()
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, pause)
  }
  return {
    ask: () => {
      if (timer === undefined) run()
      else again = true
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      again = false
    },
  }
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** 12345 as '12,345'. */
export const count = (value: number): string => whole.format(value)

const rates = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 4 as '4.0%': a rate has its tenths, as they are what changes. */
export const rate = (value: number): string => `${rates.format(value)}%`

/** 26 as '26%'. */
export const share = (value: number): string => `${oneDecimal.format(value)}%`

/** '1 view', '12 views'. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** How a figure compares: `more` and `less` also have a colour, the words say it without one. */
export interface Comparison {
  tone: 'more' | 'less' | 'same'
  /** '12% more' */
  words: string
  /** 'than the 30 days before (1,102)' */
  rest: string
}

/**
 * A figure beside the one of the period before, in words and number.
 *
 * @param before how the period before is called: 'the 30 days before'
 */
export function compare(
  value: number,
  previous: number,
  before: string,
  format: (value: number) => string,
): Comparison {
  if (value === previous) {
    return {
      tone: 'same',
      words: 'The same',
      rest: `as ${before}${value === 0 ? '' : ` (${format(previous)})`}`,
    }
  }
  const tone = value > previous ? 'more' : 'less'
  if (previous === 0 && value > 0) return { tone, words: 'Up from none', rest: `in ${before}` }
  const rest = `than ${before} (${format(previous)})`
  // A loss has no percentage.
  if (value < 0 || previous <= 0)
    return { tone, words: `${format(Math.abs(value - previous))} ${tone}`, rest }
  if (value >= previous * 10) {
    return {
      tone,
      words: `${whole.format(value / previous)} times`,
      rest: `that of ${before} (${format(previous)})`,
    }
  }
  const change = Math.abs(value / previous - 1) * 100
  if (change < 0.1) return { tone, words: `Barely ${tone}`, rest }
  return { tone, words: `${change < 10 ? oneDecimal.format(change) : whole.format(change)}% ${tone}`, rest }
}

/** The same for a rate in percent, which is told apart in points; null where there is nothing to rate. */
export function compareRates(
  value: number | null,
  previous: number | null,
  before: string,
): Comparison | null {
  if (value === null) return null
  if (previous === null) return { tone: 'same', words: 'No views', rest: `in ${before}` }
  if (value === previous) return { tone: 'same', words: 'The same', rest: `as ${before} (${rate(previous)})` }
  const points = oneDecimal.format(Math.abs(value - previous))
  const tone = value > previous ? 'more' : 'less'
  return {
    tone,
    words: `${points} ${points === '1' ? 'point' : 'points'} ${tone}`,
    rest: `than ${before} (${rate(previous)})`,
  }
}

/** 'Counted up to 14:05', with the day where it is not today; the reader's own clock. */
export function countedText(countedAt: string | null, now: number): string {
  if (countedAt === null) return 'Not counted yet'
  const time = new Date(countedAt)
  const today = time.toDateString() === new Date(now).toDateString()
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (today) return `Counted up to ${clock}`
  return `Counted up to ${time.toLocaleDateString(undefined, { day: 'numeric', month: 'long' })}, ${clock}`
}

const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** 12345 as '12,345'. */
export const formatCount = (value: number): string => wholes.format(value)

const rates = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 4 as '4.0%': a rate has its tenths, as they are what changes. */
export const formatRate = (value: number): string => `${rates.format(value)}%`

/** 26 as '26%'. */
export const formatShare = (value: number): string => `${oneDecimal.format(value)}%`

/** '1 view', '12 views'. */
export const pluralize = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`

/** 3.27 as '3.3', 372.4 as '372'; what is more than nothing is never written as nothing. */
export function formatAverage(value: number): string {
  if (value === 0) return '0'
  if (value < 0.05) return 'under 0.1'
  return value < 100 ? rates.format(value) : formatCount(value)
}

/** How a figure compares: all but `same` also have a colour, the words say it without one. */
export interface Comparison {
  /** `new`: more than nothing, and the words say that it went up. */
  tone: 'more' | 'less' | 'same' | 'new'
  /** '12% more' */
  words: string
  /** 'than 30 days before (1,102), today left out' */
  rest: string
}

/** Today is not over: what is compared leaves it out, unlike the figure that stands above. */
const wholeDays = 'today left out'

/**
 * A figure of whole days beside the one of the days before, in words and number.
 *
 * @param before how the days before are called: '30 days before'
 */
export function compareCounts(
  value: number,
  previous: number,
  before: string,
  format: (value: number) => string,
): Comparison {
  if (value === previous) {
    return {
      tone: 'same',
      words: 'The same',
      rest: `as ${before}${value === 0 ? '' : ` (${format(previous)})`}, ${wholeDays}`,
    }
  }
  if (previous === 0 && value > 0)
    return { tone: 'new', words: 'Up from none', rest: `${before}, ${wholeDays}` }
  const tone = value > previous ? 'more' : 'less'
  const rest = `than ${before} (${format(previous)}), ${wholeDays}`
  // A loss has no percentage.
  if (value < 0 || previous <= 0)
    return { tone, words: `${format(Math.abs(value - previous))} ${tone}`, rest }
  if (value >= previous * 10) {
    return {
      tone,
      words: `${formatCount(value / previous)} times`,
      rest: `that of ${before} (${format(previous)}), ${wholeDays}`,
    }
  }
  const change = Math.abs(value / previous - 1) * 100
  if (change < 0.1) return { tone, words: `Barely ${tone}`, rest }
  return { tone, words: `${change < 10 ? oneDecimal.format(change) : formatCount(change)}% ${tone}`, rest }
}

/** The same for a rate in percent, which is told apart in points; null where there is nothing to rate. */
export function compareRates(
  value: number | null,
  previous: number | null,
  before: string,
): Comparison | null {
  if (value === null) return null
  if (previous === null) return { tone: 'same', words: 'No views', rest: `${before}, ${wholeDays}` }
  if (value === previous) {
    return { tone: 'same', words: 'The same', rest: `as ${before} (${formatRate(previous)}), ${wholeDays}` }
  }
  const points = oneDecimal.format(Math.abs(value - previous))
  const tone = value > previous ? 'more' : 'less'
  return {
    tone,
    words: `${points} ${points === '1' ? 'point' : 'points'} ${tone}`,
    rest: `than ${before} (${formatRate(previous)}), ${wholeDays}`,
  }
}

/** 'Counted up to 14:05', with the day where it is not today; the reader's own clock. */
export function lastUpdatedText(countedAt: string | null, now: number): string {
  if (countedAt === null) return 'Not counted yet'
  const time = new Date(countedAt)
  const today = time.toDateString() === new Date(now).toDateString()
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (today) return `Counted up to ${clock}`
  return `Counted up to ${time.toLocaleDateString(undefined, { day: 'numeric', month: 'long' })}, ${clock}`
}

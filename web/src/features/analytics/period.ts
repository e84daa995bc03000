import { AnalyticsPeriod, periodDays } from '@contract/analytics.ts'

/** The period that is shown where nobody chose one. */
export const defaultPeriod: AnalyticsPeriod = '30d'

/** The periods as their buttons name them, the shortest first. */
export const periods: [period: AnalyticsPeriod, name: string][] = [
  ['7d', 'Last 7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', 'Last year'],
]

/** The period that an address names; the usual one where it names none. */
export function parsePeriod(text: string | null): AnalyticsPeriod {
  const parsed = AnalyticsPeriod.safeParse(text)
  return parsed.success ? parsed.data : defaultPeriod
}

/** '30 days', for running text. */
export function periodLength(period: AnalyticsPeriod): string {
  return period === '1y' ? 'year' : `${periodDays[period]} days`
}

/** '30 days before', as the grey line of a chart is called. */
export function previousPeriodLabel(period: AnalyticsPeriod): string {
  return period === '1y' ? 'A year before' : `${periodLength(period)} before`
}

/** '30 days before', for running text. */
export function previousPeriodText(period: AnalyticsPeriod): string {
  return period === '1y' ? 'a year before' : `${periodLength(period)} before`
}

/** 'the 30 days before' */
export function previousPeriodPhrase(period: AnalyticsPeriod): string {
  return `the ${periodLength(period)} before`
}

import { formatCount } from '@/lib/format'

/** Appends a count to the label of a filter, unless it is unknown or zero. */
export const labelWithCount = (label: string, count: number | undefined): string =>
  count ? `${label} ${formatCount(count)}` : label

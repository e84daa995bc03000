/** What charts are drawn in: one accent for what is asked about, one grey for what it is compared with. */
export const chartColors = {
  accent: 'var(--ov-colors-ember-ring)',
  before: 'var(--ov-colors-outline)',
  grid: 'var(--ov-colors-hairline)',
  words: 'var(--ov-colors-muted)',
  /** Behind the chart: keeps lines apart from words and dots. */
  paper: 'var(--ov-colors-surface)',
} as const

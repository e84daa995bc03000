import { timeAgo } from './format'

const units: Record<string, string> = { minute: 'm', hour: 'h', day: 'd', month: 'mo', year: 'y' }

/** `timeAgo` for a narrow column, beside the whole one for who listens: '5m', '3d', '2mo', else 'now'. */
export function shortTimeAgo(timestamp: string | null | undefined, now: number): string {
  const [count = '', unit = ''] = timeAgo(timestamp, now).split(' ')
  const short = units[unit.replace(/s$/, '')]
  return short ? count + short : 'now'
}

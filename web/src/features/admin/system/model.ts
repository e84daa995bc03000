import type { SystemStatus } from '@contract/admin.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { dollars, formatCount, numberFormat } from '@/lib/format'
import { timeAgo } from '@/lib/time'

/** If the last backup is older than this, the next one is late. Backups run daily and take some time. */
const lateBackupMs = 26 * 3_600_000
/** A disk needs attention if less than this fraction of it is free. */
const lowDiskRatio = 0.1

export const partLabels: Record<keyof SystemStatus['checks'], MessageDescriptor> = {
  database: msg`Database`,
  auth: msg`Sign-in`,
  storage: msg`Storage`,
  realtime: msg`Realtime`,
  dataApi: msg`Data API`,
}

export const queueLabels: Record<keyof SystemStatus['queues'], MessageDescriptor> = {
  moderationCases: msg`Reports to decide`,
  payouts: msg`Payouts to settle`,
  digestMails: msg`Emails to send`,
  autoPosts: msg`Automatic posts to write`,
  newPosts: msg`New posts to announce`,
  mediaChecks: msg`Uploads to check`,
  fileDeletions: msg`Files to delete`,
}

/** A metric of the instance. `isBad` means that it needs attention. */
export type Metric = { label: string; value: string; isBad: boolean }

/** Returns the metrics of the disk, the backups, the database and the ledger, with their labels. */
export function systemMetrics(
  { disk, backup, connections, maxConnections, pool, ledgerImbalanceCents }: SystemStatus,
  now: number,
): Metric[] {
  const metrics: Metric[] = []
  if (disk) {
    metrics.push({
      label: t`Disk space`,
      value: t`${gigabytes(disk.freeBytes)} free of ${gigabytes(disk.totalBytes)}`,
      isBad: disk.freeBytes < disk.totalBytes * lowDiskRatio,
    })
  }
  if (backup) {
    const { lastAt } = backup
    metrics.push({
      label: t`Last backup`,
      value: lastAt ? timeAgo(lastAt, now) : t`None yet`,
      isBad: lastAt === null || now - Date.parse(lastAt) > lateBackupMs,
    })
  }
  const open = formatCount(connections)
  const most = formatCount(maxConnections)
  const inUse = formatCount(pool.inUse)
  const size = formatCount(pool.size)
  metrics.push(
    {
      label: t`Database connections`,
      value: t`${open} of ${most}`,
      isBad: connections > maxConnections * 0.9,
    },
    { label: t`API connections in use`, value: t`${inUse} of ${size}`, isBad: pool.waiting > 0 },
    { label: t`Ledger`, value: ledgerText(ledgerImbalanceCents), isBad: ledgerImbalanceCents !== 0 },
  )
  return metrics
}

function ledgerText(imbalanceCents: number | null): string {
  if (imbalanceCents === null) return t`Not checked`
  if (imbalanceCents === 0) return t`Balanced`
  const amount = dollars(imbalanceCents / 100)
  return t`Off by ${amount}`
}

const gigabytes = (bytes: number): string =>
  numberFormat({ style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 }).format(bytes / 1e9)

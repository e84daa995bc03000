import type { Notice } from './notices.ts'

/** A notification's place in its group: the latest of a group is its head, which counts the people in it. */
export interface GroupedNotice extends Notice {
  group: string
  isHead: boolean
  people: number
}

const grouped = new Set<Notice['kind']>(['like', 'follow', 'comment', 'unlock'])
const longest = 7 * 24 * 3_600_000

/** Puts notifications into groups, as the platform's triggers would have: what came while its like was unread joins it. */
export function groupNotices(notices: Notice[]): GroupedNotice[] {
  const open = new Map<string, GroupedNotice[]>()
  const byTime = [...notices].sort((a, b) => a.at.getTime() - b.at.getTime())
  return byTime.map((notice) => {
    const made: GroupedNotice = { ...notice, group: notice.id, isHead: true, people: 1 }
    if (!grouped.has(notice.kind)) return made
    const about = [notice.receiver, notice.kind, notice.post].join(' ')
    const members = open.get(about) ?? []
    const head = members.at(-1)
    if (head && joins(notice, head)) {
      made.group = head.group
      members.push(made)
      settle(members)
    } else open.set(about, [made])
    return made
  })
}

const joins = ({ at }: Notice, head: Notice) =>
  (head.readAt === null || head.readAt > at) && at.getTime() - head.at.getTime() < longest

/** The last is the head, and a group is read as one. */
function settle(members: GroupedNotice[]): void {
  const times = members.map(({ readAt }) => readAt?.getTime() ?? Number.POSITIVE_INFINITY)
  const latest = Math.max(...times)
  for (const [at, member] of members.entries()) {
    member.isHead = at === members.length - 1
    member.people = member.isHead ? new Set(members.map(({ actor }) => actor)).size : 1
    member.readAt = Number.isFinite(latest) ? new Date(latest) : null
  }
}

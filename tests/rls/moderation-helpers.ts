import { randomUUID } from 'node:crypto'
import { runAs, type SessionUser, sql } from './database.ts'

export type SubjectKind = 'post' | 'comment' | 'message' | 'user'
export type DecisionKind = 'dismiss' | 'warn' | 'hide' | 'remove' | 'suspend'

/** Reports content as a user. Returns whether the report is new. */
export const fileReport = (reporter: SessionUser, kind: SubjectKind, subjectId: string, reason = 'spam') =>
  runAs(reporter, async (tx) => {
    const [row] = await tx<{ isNew: boolean }[]>`
      select is_new as "isNew" from private.file_report(${kind}, ${subjectId}, ${reason}, 'Look at this')`
    return row?.isNew
  })

/** Returns the latest moderation case about a post, comment, message or user. */
export async function getLatestCase(subjectId: string) {
  const [row] = await sql<
    {
      id: string
      state: string
      reports: number
      hid: boolean
      decision: string | null
      snapshots: object[]
    }[]
  >`
    select id, state, reports, hid, decision, snapshots from public.moderation_cases
    where subject_id = ${subjectId} order by created_at desc limit 1`
  if (!row) throw new Error('There is no case about this subject.')
  return row
}

type DecisionOptions = { days?: number | null; hide?: boolean; forfeit?: boolean; reason?: string }

export const decideCase = (
  admin: SessionUser,
  id: string,
  decision: DecisionKind,
  options: DecisionOptions = {},
) =>
  runAs(
    admin,
    (tx) => tx`
      select private.decide_case(${id}, ${decision}, ${options.reason ?? 'It breaks our rules'}, ${options.days ?? null},
                                 ${options.hide ?? false}, ${options.forfeit ?? false})`,
  )

/** Makes a decision about content or a user, with or without a report, and returns the ID of the case. */
export const moderateSubject = (
  admin: SessionUser,
  kind: SubjectKind,
  subjectId: string,
  decision: DecisionKind,
  options: DecisionOptions = {},
): Promise<string> =>
  runAs(admin, async (tx) => {
    const [row] = await tx<{ id: string }[]>`
      select case_id as id from private.moderate_subject(${kind}, ${subjectId}, ${decision}, ${options.reason ?? 'It breaks our rules'},
                                                 ${options.days ?? null}, ${options.hide ?? false}, ${options.forfeit ?? false})`
    return row?.id ?? ''
  })

export const appealCase = (user: SessionUser, id: string, text = 'I disagree') =>
  runAs(user, (tx) => tx`select private.appeal_case(${id}, ${text})`)

export const decideAppeal = (admin: SessionUser, id: string, overturn: boolean) =>
  runAs(admin, (tx) => tx`select private.decide_appeal(${id}, ${overturn}, 'We looked again')`)

/** Inserts a comment as a user, or a reply to `parentId`, and returns its ID. */
export async function insertComment(
  author: SessionUser,
  postId: string,
  content = 'Said',
  parentId: string | null = null,
) {
  const id = randomUUID()
  await runAs(
    author,
    (tx) => tx`insert into public.comments (id, post_id, author_id, content, parent_comment_id)
               values (${id}, ${postId}, ${author.id}, ${content}, ${parentId})`,
  )
  return id
}

export const deleteComment = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select private.delete_comment(${id})`)

/** Sends a message as a user and returns its ID. */
export async function sendDirectMessage(sender: SessionUser, receiver: SessionUser, content = 'hi') {
  const id = randomUUID()
  await runAs(sender, (tx) => tx`select private.send_message(${id}, ${receiver.id}, ${content}, null, null)`)
  return id
}

/** Inserts a processed image upload and returns its ID. */
export async function insertUpload(owner: SessionUser) {
  const id = randomUUID()
  await sql`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height)
    values (${id}, ${owner.id}, 'image', 'ready', ${`${owner.id}/${id}`}, 'image/png', 10, 4, 3)`
  return id
}

/** Returns how many rows with this column value a user can read. */
export const countVisibleRows = (user: SessionUser | null, table: string, column: string, value: string) =>
  runAs(user, async (tx) => (await tx.unsafe(`select 1 from ${table} where ${column} = $1`, [value])).count)

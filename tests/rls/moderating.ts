import { randomUUID } from 'node:crypto'
import { as, owner, type Person } from './support.ts'

export type Kind = 'post' | 'comment' | 'message' | 'user'
export type Decided = 'dismiss' | 'warn' | 'hide' | 'remove' | 'suspend'

/** Reports something as somebody; answers whether it is new. */
export const report = (who: Person, kind: Kind, thing: string, reason = 'spam') =>
  as(who, async (tx) => {
    const [row] = await tx<{ made: boolean }[]>`
      select made from private.file_report(${kind}, ${thing}, ${reason}, 'Look at this')`
    return row?.made
  })

/** The latest case about a thing. */
export async function caseOf(thing: string) {
  const [row] = await owner<
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
    where subject_id = ${thing} order by created_at desc limit 1`
  if (!row) throw new Error('There is no such case.')
  return row
}

type How = { days?: number | null; hide?: boolean; giveUp?: boolean; why?: string }
/** Decides a case as an admin. */
export const decide = (admin: Person, id: string, decided: Decided, how: How = {}) =>
  as(
    admin,
    (tx) => tx`
      select private.decide_case(${id}, ${decided}, ${how.why ?? 'It breaks our rules'}, ${how.days ?? null},
                                 ${how.hide ?? false}, ${how.giveUp ?? false})`,
  )

/** Decides about a thing that nobody reported; answers the case. */
export const moderate = (
  admin: Person,
  kind: Kind,
  thing: string,
  decided: Decided,
  how: How = {},
): Promise<string> =>
  as(admin, async (tx) => {
    const [row] = await tx<{ id: string }[]>`
      select case_id as id from private.moderate(${kind}, ${thing}, ${decided}, ${how.why ?? 'It breaks our rules'},
                                                 ${how.days ?? null}, ${how.hide ?? false}, ${how.giveUp ?? false})`
    return row?.id ?? ''
  })

export const appeal = (who: Person, id: string, words = 'I disagree') =>
  as(who, (tx) => tx`select private.appeal_case(${id}, ${words})`)
export const answer = (admin: Person, id: string, overturn: boolean) =>
  as(admin, (tx) => tx`select private.decide_appeal(${id}, ${overturn}, 'We looked again')`)

/** Comments as somebody; with `under`, as a reply. */
export async function comment(who: Person, on: string, content = 'Said', under: string | null = null) {
  const id = randomUUID()
  await as(
    who,
    (tx) => tx`insert into public.comments (id, post_id, author_id, content, parent_comment_id)
               values (${id}, ${on}, ${who.id}, ${content}, ${under})`,
  )
  return id
}

/** Writes to somebody. */
export async function say(from: Person, to: Person, content = 'hi') {
  const id = randomUUID()
  await as(from, (tx) => tx`select private.send_message(${id}, ${to.id}, ${content}, null, null)`)
  return id
}

/** An upload that is ready, as a post of its owner's shows it. */
export async function upload(of: Person) {
  const id = randomUUID()
  await owner`
    insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height)
    values (${id}, ${of.id}, 'image', 'ready', ${`${of.id}/${id}`}, 'image/png', 10, 4, 3)`
  return id
}

/** How many rows a statement finds as somebody. */
export const seen = (who: Person | null, table: string, column: string, value: string) =>
  as(who, async (tx) => (await tx.unsafe(`select 1 from ${table} where ${column} = $1`, [value])).count)

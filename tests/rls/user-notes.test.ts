import { describe, expect, it } from 'vitest'
import { getSqlState, insertUser, insertUsers, runAs, type SessionUser, sql } from './database.ts'

const setNote = (
  author: SessionUser | null,
  { id }: SessionUser,
  content: string,
  previous: string | null = null,
) => runAs(author, (tx) => tx`select private.set_user_note(${id}, ${content}, ${previous})`)
const readNotes = (user: SessionUser | null) =>
  runAs(user, (tx) => tx<{ content: string }[]>`select content from public.user_notes`)

async function createNote() {
  const [author, subject] = (await insertUsers(2)) as [SessionUser, SessionUser]
  await setNote(author, subject, 'Likes ash glaze')
  return { author, subject }
}

describe('a private note about a user', () => {
  it('can be read only by its author, not by the user, others or admins', async () => {
    const { author, subject } = await createNote()
    expect(await readNotes(author)).toEqual([{ content: 'Likes ash glaze' }])
    for (const user of [subject, await insertUser(), await insertUser({ admin: true })])
      expect(await readNotes(user)).toEqual([])
    expect(await getSqlState(readNotes(null))).toBe('42501')
    expect(await getSqlState(setNote(null, subject, 'x'))).toBe('42501')
  })

  it('cannot be written through the Data API', async () => {
    const { author, subject } = await createNote()
    for (const write of [
      `insert into public.user_notes (author_id, user_id, content) values ('${subject.id}', '${author.id}', 'x')`,
      `update public.user_notes set content = 'x'`,
      `delete from public.user_notes`,
    ])
      for (const user of [author, subject, await insertUser({ admin: true })])
        expect(await getSqlState(runAs(user, (tx) => tx.unsafe(write)))).toBe('42501')
    expect(await readNotes(author)).toEqual([{ content: 'Likes ash glaze' }])
  })

  it('is replaced by new text and deleted by blank text', async () => {
    const { author, subject } = await createNote()
    await setNote(author, subject, 'Moved to Porto')
    expect(await readNotes(author)).toEqual([{ content: 'Moved to Porto' }])
    await setNote(author, subject, ' \n ')
    expect(await readNotes(author)).toEqual([])
  })

  it('is not replaced if it was changed elsewhere', async () => {
    const { author, subject } = await createNote()
    for (const previous of ['', 'Likes oak'])
      for (const content of ['Moved to Porto', ''])
        expect(await getSqlState(setNote(author, subject, content, previous))).toBe('PT409')
    // A repeated request finds its own text stored, and succeeds.
    for (const attempt of ['first', 'second']) {
      await setNote(author, subject, 'Moved to Porto', 'Likes ash glaze')
      expect([attempt, await readNotes(author)]).toEqual([attempt, [{ content: 'Moved to Porto' }]])
    }
    await setNote(author, subject, '', 'Moved to Porto')
    expect(await getSqlState(setNote(author, subject, 'x', 'Moved to Porto'))).toBe('PT409')
    const attempts = ['One', 'Two', 'Three'].map((content) => setNote(author, subject, content, ''))
    const outcomes = (await Promise.allSettled(attempts)).map(({ status }) => status)
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('needs an active session, an account that can write, an existing user and at most 1,000 characters', async () => {
    const { author, subject } = await createNote()
    expect(await getSqlState(setNote(author, subject, 'x'.repeat(1001)))).toBe('23514')
    expect(await getSqlState(setNote(author, { ...subject, id: crypto.randomUUID() }, 'x'))).toBe('PT404')
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${author.id}`
    expect(await getSqlState(setNote(author, subject, 'x'))).toBe('PT403')
    expect(await readNotes(author)).toEqual([{ content: 'Likes ash glaze' }])
    await sql`delete from auth.sessions where id = ${author.sessionId}`
    expect(await getSqlState(setNote(author, subject, 'x'))).toBe('42501')
    expect(await readNotes(author)).toEqual([])
  })

  it.each(['author', 'subject'] as const)('is deleted with the account of its %s', async (deleted) => {
    const users = await createNote()
    await sql`select private.delete_account(${users[deleted].id})`
    expect(await sql`select from public.user_notes where author_id = ${users.author.id}`).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  impersonate,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  runAsService,
  type SessionUser,
  sql,
} from './database.ts'

// The stack's own `scheduled-posts` job may publish a due post at any time. The tests therefore compare the final
// state, not what a single call returned.

interface Fields {
  id?: string
  at?: string
  content?: string
  price?: number | null
  image?: string | null
  quoted?: string | null
}

/** Schedules a post for a time such as '1 hour' from now, and returns its ID. */
async function schedule(
  user: SessionUser | null,
  {
    id = randomUUID(),
    at = '1 hour',
    content = 'Later',
    price = null,
    image = null,
    quoted = null,
  }: Fields = {},
): Promise<string> {
  await runAs(
    user,
    (tx) => tx`
      select private.schedule_post(${id}, now() + ${at}::interval, ${quoted}, ${content}, ${price}, 'Teaser',
                                   ${image}, null, null, 'Alt', true, true)`,
  )
  return id
}
const edit = (user: SessionUser | null, id: string, changes: Record<string, unknown>) =>
  runAs(user, (tx) => tx`select private.edit_scheduled_post(${id}, ${JSON.stringify(changes)}::text::jsonb)`)
const publishNow = (user: SessionUser | null, id: string) =>
  runAs(user, (tx) => tx`select private.publish_scheduled_post(${id})`)
const publishDue = (id: string) =>
  runAsService(async (tx) => {
    const [row] = await tx<{ outcome: string }[]>`select private.publish_due_post(${id}) as outcome`
    return row?.outcome
  })
const makeDue = (ids: string[], ago = '1 minute') =>
  sql`update public.scheduled_posts set publish_at = now() - ${ago}::interval where id = any(${ids})`
/** Makes posts due and publishes them. */
async function runJob(...ids: string[]) {
  await makeDue(ids)
  for (const id of ids) await publishDue(id)
}
const readScheduled = async (id: string) =>
  (await sql`select content, failure from public.scheduled_posts where id = ${id}`)[0]
const readPost = async (id: string) =>
  (await sql`select content, is_premium, media_id from public.posts where id = ${id}`)[0]
const listNotifications = async (user: SessionUser, kind: string) =>
  sql`select post_id from public.notifications where user_id = ${user.id} and kind = ${kind}`
const setReadOnly = (user: SessionUser, reason: string | null) =>
  sql`update public.accounts set read_only_reason = ${reason} where user_id = ${user.id}`
async function insertImage(owner: SessionUser): Promise<string> {
  const id = randomUUID()
  await sql`insert into public.media (id, owner_id, kind, state, path, content_type, bytes)
            values (${id}, ${owner.id}, 'image', 'ready', ${`${owner.id}/${id}`}, 'image/png', 1000)`
  return id
}
/** Makes an upload due for the cleanup of orphaned media, then runs the cleanup. */
async function cleanUpIfOrphaned(id: string) {
  await sql`insert into private.orphaned_media (media_id, due) values (${id}, '-infinity')
            on conflict (media_id) do update set due = excluded.due`
  await runAsService((tx) => tx`select private.delete_orphaned_media(500)`)
}
const exists = async (mediaId: string) =>
  (await sql`select from public.media where id = ${mediaId}`).length > 0

describe('a scheduled post', () => {
  let author: SessionUser
  let stranger: SessionUser
  beforeAll(async () => {
    author = await insertUser({ creator: true })
    stranger = await insertUser({ creator: true })
  })

  it('can be read, edited, published and deleted only by its author', async () => {
    const [follower, blocked, admin] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ admin: true }),
    ])
    await insertFollow(follower, author)
    await insertBlock(author, blocked)
    const image = await insertImage(author)
    const id = await schedule(author, { image })
    const read = (user: SessionUser | null) =>
      runAs(user, (tx) => tx`select id from public.scheduled_posts where id = ${id}`)
    const deleteAs = (user: SessionUser) =>
      runAs(user, (tx) => tx`delete from public.scheduled_posts where id = ${id}`)
    const readUpload = (user: SessionUser | null) =>
      runAs(user, (tx) => tx`select id from public.media where id = ${image}`)
    expect(await read(author)).toHaveLength(1)
    expect(await getSqlState(read(null))).toBe('42501')
    expect(await readUpload(null)).toHaveLength(0)
    for (const user of [stranger, follower, blocked, admin]) {
      expect(await read(user)).toHaveLength(0)
      expect(await readUpload(user)).toHaveLength(0)
      expect(await getSqlState(edit(user, id, { content: 'Mine' }))).toBe('PT404')
      expect(await getSqlState(publishNow(user, id))).toBe('PT404')
      expect(await getSqlState(schedule(user, { id }))).toMatch(/PT409|PT403/)
      expect((await deleteAs(user)).count).toBe(0)
    }
    for (const write of [
      `insert into public.scheduled_posts (id, author_id, publish_at) values (gen_random_uuid(), '${author.id}', now())`,
      `update public.scheduled_posts set publish_at = now() where id = '${id}'`,
      `select private.publish_due_post('${id}')`,
      `select private.next_due_post('{}')`,
      `select private.publish_scheduled(s) from public.scheduled_posts s where s.id = '${id}'`,
    ])
      expect(await getSqlState(runAs(author, (tx) => tx.unsafe(write)))).toBe('42501')
    for (const call of [schedule, (user: null) => edit(user, id, {}), (user: null) => publishNow(user, id)])
      expect(await getSqlState(call(null))).toBe('42501')
    expect(await readScheduled(id)).toMatchObject({ content: 'Later', failure: null })
    expect((await deleteAs(author)).count).toBe(1)
  })

  it('cannot be scheduled, edited or published after the session has ended, or from a read-only account', async () => {
    const user = await insertUser()
    const id = await schedule(user)
    await setReadOnly(user, 'Suspended')
    const calls = [() => schedule(user), () => edit(user, id, { content: 'x' }), () => publishNow(user, id)]
    for (const call of calls) expect(await getSqlState(call())).toBe('PT403')
    // Authors can always delete their content.
    const deleted = await runAs(user, (tx) => tx`delete from public.scheduled_posts where id = ${id}`)
    expect(deleted.count).toBe(1)
    await setReadOnly(user, null)
    await sql`delete from auth.sessions where id = ${user.sessionId}`
    for (const call of calls) expect(await getSqlState(call())).toBe('42501')
    expect(await runAs(user, (tx) => tx`select from public.scheduled_posts`)).toHaveLength(0)
  })

  it('needs content and a time between 5 minutes and a year from now, and a free one cannot be made premium by an edit', async () => {
    for (const at of ['-1 hour', '0', '4 minutes', '366 days'])
      expect(await getSqlState(schedule(author, { at }))).toBe('PT400')
    expect(await getSqlState(schedule(author, { content: ' \n' }))).toBe('PT400')
    const id = await schedule(author, { at: '364 days' })
    expect(await getSqlState(edit(author, id, { publishAt: new Date().toISOString() }))).toBe('PT400')
    expect(await getSqlState(edit(author, id, { content: '' }))).toBe('PT400')
    expect(await getSqlState(edit(author, id, { premiumPrice: 5 }))).toBe('PT400')
  })

  it('is stored once if the request is repeated, even after it was published', async () => {
    const id = randomUUID()
    await Promise.all(Array.from({ length: 4 }, () => schedule(author, { id })))
    expect(await getSqlState(schedule(stranger, { id }))).toBe('PT409')
    const publish = (user: SessionUser) =>
      runAs(user, (tx) => tx`select private.publish_post(${id}, 'Now', null, null, null, null, null, null)`)
    for (const user of [author, stranger]) expect(await getSqlState(publish(user))).toBe('PT409')
    await runJob(id)
    await schedule(author, { id })
    expect(await readScheduled(id)).toBeUndefined()
    expect(await readPost(id)).toMatchObject({ content: 'Later' })
  })

  it('cannot have the ID of a deleted post that a moderation case is about', async () => {
    const id = randomUUID()
    await sql`insert into public.moderation_cases (kind, subject_id, user_id) values ('post', ${id}, ${author.id})`
    expect(await getSqlState(schedule(author, { id }))).toBe('PT409')
  })

  it('is rejected if its author already has 100, even with concurrent requests', async () => {
    const user = await insertUser()
    await sql`insert into public.scheduled_posts (id, author_id, publish_at, content)
              select gen_random_uuid(), ${user.id}, now() + interval '1 day', 'x' from generate_series(1, 99)`
    const results = await Promise.allSettled([schedule(user), schedule(user), schedule(user)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('keeps its upload until it is deleted', async () => {
    const image = await insertImage(author)
    const id = await schedule(author, { image })
    expect(await getSqlState(schedule(author, { image }))).toBe('PT400')
    const publishImage = () =>
      runAs(
        author,
        (tx) => tx`select private.publish_post(${randomUUID()}, '', null, null, ${image}, null, null, null)`,
      )
    expect(await getSqlState(publishImage())).toBe('PT400')
    await cleanUpIfOrphaned(image)
    expect(await exists(image)).toBe(true)
    await runAs(author, (tx) => tx`delete from public.scheduled_posts where id = ${id}`)
    expect(
      await sql`select from private.orphaned_media where media_id = ${image} and due <= now()`,
    ).toHaveLength(1)
    await cleanUpIfOrphaned(image)
    expect(await exists(image)).toBe(false)
  })

  it('cannot use the upload of another user', async () => {
    expect(await getSqlState(schedule(author, { image: await insertImage(stranger) }))).toBe('PT400')
  })

  it('is deleted with its author’s account', async () => {
    const user = await insertUser()
    const image = await insertImage(user)
    const id = await schedule(user, { image })
    await sql`delete from auth.users where id = ${user.id}`
    expect(await readScheduled(id)).toBeUndefined()
    expect(await exists(image)).toBe(false)
  })
})

describe('publishing at the scheduled time', () => {
  it('creates the same post as publishing by hand, exactly once', async () => {
    const author = await insertUser({ creator: true })
    const friend = await insertUser()
    const image = await insertImage(author)
    const content = `Hello @${friend.username} #scheduledtag`
    const free = await schedule(author, { image, content })
    const paid = await schedule(author, { content: 'Paid words', price: 7 })
    const crash = new Error('crash')
    await makeDue([free, paid])
    await sql
      .begin(async (tx) => {
        await tx`select private.publish_due_post(${free})`
        throw crash
      })
      .catch((error) => expect(error).toBe(crash))
    // Two concurrent runs, which are possible if a lease expires too early.
    await Promise.all([free, paid, free, paid].map(publishDue))
    expect(await readPost(free)).toMatchObject({ content, is_premium: false, media_id: image })
    expect(
      await sql`select from public.post_tags where post_id = ${free} and tag = 'scheduledtag'`,
    ).toHaveLength(1)
    expect(await listNotifications(friend, 'mention')).toEqual([{ post_id: free }])
    const [premium] = await sql`
      select p.content, p.teaser, p.premium_price::float as price, p.included_in_subscription as included,
             p.unlocks_count, c.content as paid
      from public.posts p join public.premium_contents c on c.post_id = p.id where p.id = ${paid}`
    expect(premium).toMatchObject({
      ...{ content: '', teaser: 'Teaser', price: 7, included: true, unlocks_count: 0, paid: 'Paid words' },
    })
    expect(await sql`select posts from public.profile_counts where user_id = ${author.id}`).toEqual([
      { posts: 2 },
    ])
    expect(await publishDue(free)).toBe('skipped')
    expect([await readScheduled(free), await readScheduled(paid)]).toEqual([undefined, undefined])
    const events = await sql<{ event: string }[]>`
      select event from realtime.messages where topic in (${`user:${author.id}`}, ${`profile:${author.id}`})`
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['scheduled_posts.changed', 'post.created']),
    )
  })

  it('takes due posts in the order of their scheduled times, and omits the others', async () => {
    const author = await insertUser()
    const [second, first, future] = [await schedule(author), await schedule(author), await schedule(author)]
    // Uses one transaction, so that the job does not publish the posts in the meantime.
    await sql.begin(async (tx) => {
      await tx`update public.scheduled_posts set publish_at = '1999-01-01'::timestamptz where id = ${first}`
      await tx`update public.scheduled_posts set publish_at = '1999-01-02'::timestamptz where id = ${second}`
      const next = async (...skipped: string[]) =>
        (await tx<{ id: string }[]>`select private.next_due_post(${skipped}) as id`)[0]?.id
      expect(await next()).toBe(first)
      expect(await next(first)).toBe(second)
      expect(await next(first, second)).not.toBe(future)
      await tx`update public.scheduled_posts set failure = 'other' where id = ${first}`
      expect(await next()).toBe(second)
    })
    await runAsService((tx) => tx`select private.publish_due_post(${future})`)
    expect(await readScheduled(future)).toMatchObject({ failure: null })
  })

  it('stores why it failed, notifies the author once, and succeeds after the post is rescheduled', async () => {
    const author = await insertUser({ creator: true })
    const id = await schedule(author, { price: 5 })
    const other = await schedule(author)
    await sql`update public.profiles set is_creator = false where id = ${author.id}`
    await runJob(id, other)
    await publishDue(id)
    expect(await readScheduled(id)).toMatchObject({ failure: 'creators_only' })
    expect(await listNotifications(author, 'scheduled_post')).toHaveLength(1)
    expect(await readPost(other)).toBeDefined()
    expect(await getSqlState(publishNow(author, id))).toBe('PT403')
    expect(await getSqlState(edit(author, id, { content: 'x' }))).toBe('PT403')
    await sql`update public.profiles set is_creator = true where id = ${author.id}`
    await edit(author, id, { content: 'Better' })
    expect(await readScheduled(id)).toMatchObject({ failure: 'creators_only' })
    await edit(author, id, { publishAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await readScheduled(id)).toMatchObject({ failure: null })
    await runJob(id)
    expect(await readPost(id)).toMatchObject({ is_premium: true })
  })

  it('fails for a premium post without a confirmed email address, and if the quoted post is gone', async () => {
    const author = await insertUser({ creator: true })
    const quotedAuthor = await insertUser()
    const quoted = await insertPost(quotedAuthor)
    const quote = await schedule(author, { quoted })
    const paid = await schedule(author, { price: 5 })
    await sql`update public.accounts set email_confirmed_at = null where user_id = ${author.id}`
    await sql`delete from public.posts where id = ${quoted}`
    await runJob(quote, paid)
    expect(await readScheduled(paid)).toMatchObject({ failure: 'email_unconfirmed' })
    expect(await readScheduled(quote)).toMatchObject({ failure: 'quote_unavailable' })
    expect(await listNotifications(author, 'scheduled_post')).toHaveLength(2)
    const publishAt = new Date(Date.now() + 3_600_000).toISOString()
    expect(await getSqlState(edit(author, quote, { publishAt }))).toBe('PT404')
    await edit(author, quote, { publishAt, quotedPostId: null })
    await publishNow(author, quote)
    expect(await readPost(quote)).toBeDefined()
  })

  it('quotes a post only if that is still allowed, and notifies the quoted author', async () => {
    const author = await insertUser()
    const quotedAuthor = await insertUser()
    const quoted = await insertPost(quotedAuthor)
    const [id, later] = [await schedule(author, { quoted }), await schedule(author, { quoted })]
    await runJob(id)
    expect(
      await sql`select from public.post_quotes where post_id = ${id} and quoted_post_id = ${quoted}`,
    ).toHaveLength(1)
    expect(await listNotifications(quotedAuthor, 'quote')).toEqual([{ post_id: id }])
    await insertBlock(quotedAuthor, author)
    await runJob(later)
    expect(await readScheduled(later)).toMatchObject({ failure: 'quote_unavailable' })
    expect(await getSqlState(schedule(author, { quoted }))).toBe('PT404')
    const hidden = await insertPost(await insertUser({ visibility: 'private' }))
    expect(await getSqlState(schedule(author, { quoted: hidden }))).toBe('PT404')
  })

  it('waits for up to a day while the account is read-only', async () => {
    const author = await insertUser()
    const [late, veryLate] = [await schedule(author), await schedule(author)]
    await setReadOnly(author, 'Suspended')
    await makeDue([late], '23 hours')
    await makeDue([veryLate], '25 hours')
    for (const id of [late, veryLate]) await publishDue(id)
    expect(await readScheduled(late)).toMatchObject({ failure: null })
    expect(await readScheduled(veryLate)).toMatchObject({ failure: 'account_restricted' })
    expect(await readPost(late)).toBeUndefined()
    await setReadOnly(author, null)
    await publishDue(late)
    expect(await readPost(late)).toBeDefined()
  })

  it('does not wait for the deletion of an account or for an edit', async () => {
    const author = await insertUser()
    const id = await schedule(author)
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(private.follows_lock_key(${author.id}))`
      await tx`update public.scheduled_posts set publish_at = now() - interval '1 minute' where id = ${id}`
      expect(await getSqlState(sql.begin((other) => other`select private.publish_due_post(${id})`))).toBe(
        '55P03',
      )
    })
    const edited = await schedule(author)
    await sql.begin(async (tx) => {
      await impersonate(tx, author)
      await tx`select private.edit_scheduled_post(${edited}, '{"content": "Edited"}')`
      await sql`select private.publish_due_post(${edited})`
    })
    await runJob(edited)
    expect(await readPost(edited)).toMatchObject({ content: 'Edited' })
  })
})

describe('publishing a scheduled post by hand', () => {
  it('happens only once, even with concurrent requests', async () => {
    const author = await insertUser()
    const id = await schedule(author)
    await Promise.all([publishNow(author, id), publishNow(author, id), publishNow(author, id)])
    expect(await readPost(id)).toMatchObject({ content: 'Later' })
    expect(await readScheduled(id)).toBeUndefined()
    expect(await sql`select posts from public.profile_counts where user_id = ${author.id}`).toEqual([
      { posts: 1 },
    ])
  })
})

import { randomUUID } from 'node:crypto'
import { AdminStats, AdminUser, totalCountHeader } from '@contract/admin.ts'
import { ImageUpload, uploadErrors } from '@contract/media.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { makeCreator } from '../support/creators.ts'
import { waitForMail } from '../support/mail.ts'
import { createPng } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

/** In the names of the people of this file alone. */
const mark = `q${randomUUID().replaceAll('-', '').slice(0, 10)}`
const users = '/api/admin/users'
const at = ({ id }: { id: string }, path = '') => `${users}/${id}${path}`

let boss: TestUser
let other: TestUser
let fan: TestUser
let maker: TestUser

beforeAll(async () => {
  ;({ boss, other, fan, maker } = await createUsers('boss', 'other', 'fan', 'maker'))
  await sql`update public.profiles set is_admin = true where id in (${boss.id}, ${other.id})`
  await makeCreator(maker)
})

const read = async (person: { id: string }) => (await apiAs(boss).get(at(person), AdminUser)).body
/** What the log says of somebody since, the newest first. */
const logged = (person: { id: string }, action: string) =>
  sql<{ actor: string; change: Record<string, unknown>; subject: string | null }[]>`
    select actor_id as actor, change, subject from public.audit_entries
    where target_id = ${person.id} and action = ${action} order by id desc`

/** The form of the dialog as it opens; `changes` are what somebody enters. */
const form = (user: AdminUser, changes: Record<string, unknown> = {}) => ({
  fullName: user.fullName,
  username: user.username,
  email: user.email,
  phoneNumber: user.phoneNumber,
  bio: user.bio,
  age: user.age,
  profileImageUrl: user.profileImageUrl,
  backgroundImageUrl: user.backgroundImageUrl,
  allowDirectMessages: user.allowDirectMessages,
  showFollowerCount: user.showFollowerCount,
  showProfileInDirectory: user.showProfileInDirectory,
  makeProfileDiscoverable: user.makeProfileDiscoverable,
  ...changes,
})
const edit = async (person: { id: string }, changes: Record<string, unknown>) =>
  (await apiAs(boss).put(at(person, '/profile'), AdminUser, form(await read(person), changes))).body
const editRefused = async (person: { id: string }, status: number, changes: Record<string, unknown>) =>
  await apiAs(boss).expectError('PUT', at(person, '/profile'), status, {
    body: form(await read(person), changes),
  })

async function upload(person: TestUser, kind: 'profile' | 'background', bytes: Uint8Array) {
  const body = new FormData()
  body.set('image', new Blob([new Uint8Array(bytes)]), 'photo.png')
  const headers = { Authorization: `Bearer ${person.token}` }
  return await call('POST', `/api/admin/upload/${kind}-image`, { headers, form: body })
}
const uploaded = async (person: TestUser, kind: 'profile' | 'background') =>
  ImageUpload.parse(await (await upload(person, kind, createPng({ width: 20, height: 10 }))).json()).imageUrl

describe('the list', () => {
  it('finds people by name, username and email, filters, counts and pages', async () => {
    const names = ['Zoë', 'Yann', 'Xaver']
    const made = await Promise.all(names.map((name) => createUser({ fullName: `${name} ${mark}` })))
    await sql`update public.profiles set is_creator = true where id = ${made[0]?.id ?? ''}`
    await sql`
      update public.accounts set suspended_at = now(), suspension_reason = 'Spam' where user_id = ${made[1]?.id ?? ''}`
    const find = async (query: string) => {
      const { body, headers, next } = await apiAs(boss).get(`${users}?${query}`, z.array(AdminUser))
      return { ids: body.map(({ id }) => id), total: Number(headers.get(totalCountHeader)), next }
    }
    const newest = (
      await sql<{ id: string }[]>`
        select id from public.profiles where id = any (${made.map(({ id }) => id)}) order by created_at desc, id desc`
    ).map(({ id }) => id)
    expect(await find(`search=${mark}`)).toEqual({ ids: newest, total: 3, next: null })
    expect((await find(`search=%20${mark.toUpperCase()}`)).total).toBe(3)
    expect((await find(`search=zoe%20${mark}`)).ids).toEqual([made[0]?.id])
    expect((await find(`search=Zo%C3%AB%20${mark}`)).ids).toEqual([made[0]?.id])
    expect((await find(`search=@${made[1]?.username}`)).ids).toEqual([made[1]?.id])
    expect((await find(`search=${encodeURIComponent(made[2]?.email ?? '')}`)).ids).toEqual([made[2]?.id])
    expect((await find(`search=${mark}%25`)).total).toBe(0)
    expect((await find(`search=${mark}&filter=creators`)).ids).toEqual([made[0]?.id])
    expect((await find(`search=${mark}&filter=suspended`)).ids).toEqual([made[1]?.id])
    expect((await find(`search=${mark}&filter=admins`)).ids).toEqual([])
    expect((await find(`search=${mark}&filter=unapproved`)).ids).toEqual(newest)
    expect((await find(`search=${mark}&filter=auto_posting`)).total).toBe(0)

    const pages = await apiAs(boss).getAllPages(`${users}?search=${mark}&limit=1`, z.array(AdminUser))
    expect(pages.map(({ id }) => id)).toEqual(newest)
    expect(await find(`search=${mark}&limit=1&offset=1`)).toMatchObject({ ids: [newest[1]], total: 3 })
    const everybody = await find('limit=2')
    expect(everybody.ids).toHaveLength(2)
    expect(everybody.total).toBeGreaterThan(5)
    const admins = await apiAs(boss).get(`${users}?filter=admins&limit=50`, z.array(AdminUser))
    expect(admins.body.every(({ isAdmin }) => isAdmin)).toBe(true)

    // What was changed since is found as it is now.
    await sql`update auth.users set email = ${`${mark}@new.test`} where id = ${made[2]?.id ?? ''}`
    expect((await find(`search=${mark}@new`)).ids).toEqual([made[2]?.id])
    expect((await find(`search=${encodeURIComponent(made[2]?.email ?? '')}`)).total).toBe(0)
  })

  it('shows everything that admins may know, and answers who is not there', async () => {
    const user = await read(maker)
    expect(user).toMatchObject({
      email: maker.email,
      phoneNumber: '+1 555 0100 200',
      isCreator: true,
      approvedAt: null,
      autoPostingEnabled: false,
      autoPostingFrequency: 'moderate',
      suspended: false,
    })
    expect((await apiAs(boss).expectError('GET', at({ id: randomUUID() }), 404)).message).toBe(
      'User not found',
    )
    await apiAs(boss).expectError('GET', `${users}/nobody`, 404)
    const { totalUsers, admins } = (await apiAs(boss).get('/api/admin/stats', AdminStats)).body
    expect(admins).toBeGreaterThanOrEqual(2)
    expect(totalUsers).toBeGreaterThan(admins)
  })
})

describe('editing', () => {
  it('changes what is named, another admin’s too, and the log says which fields, not what was in them', async () => {
    const after = await edit(fan, {
      fullName: 'Fanny Fan',
      bio: 'A secret bio',
      website: 'https://example.com/',
      gender: 'female',
      showAge: false,
      makeProfileDiscoverable: false,
    })
    expect(after).toMatchObject({
      fullName: 'Fanny Fan',
      bio: 'A secret bio',
      showAge: false,
      gender: 'female',
    })
    expect(after.makeProfileDiscoverable).toBe(false)
    const [row, ...more] = await logged(fan, 'account.edit')
    expect(more).toEqual([])
    expect(row).toEqual({
      actor: boss.id,
      subject: null,
      change: { fields: ['bio', 'fullName', 'gender', 'makeProfileDiscoverable', 'show_age', 'website'] },
    })
    // Nothing changed: nothing is logged.
    await edit(fan, {})
    expect(await logged(fan, 'account.edit')).toHaveLength(1)
    expect((await edit(other, { bio: 'Another admin' })).bio).toBe('Another admin')
  })

  it('keeps the rules of registering, and says what is taken', async () => {
    const texts: [Record<string, unknown>, string][] = [
      [{ fullName: 'x' }, 'Full name must be at least 2 characters'],
      [{ username: 'ab' }, 'Username must be at least 3 characters'],
      [{ username: 'a b c' }, 'Username can only contain letters, numbers, and underscores'],
      [{ email: 'nobody' }, 'Please enter a valid email address'],
      [{ age: 12 }, 'Please enter an age between 13 and 120.'],
      [{ isAdmin: true }, 'Unknown field: isAdmin.'],
    ]
    for (const [changes, message] of texts) {
      expect((await editRefused(fan, 400, changes)).message).toBe(message)
    }
    expect(await editRefused(fan, 409, { username: maker.username.toUpperCase() })).toEqual({
      message: 'Username is already taken',
      code: 'username_taken',
    })
    expect(await editRefused(fan, 409, { email: maker.email.toUpperCase() })).toEqual({
      message: 'Email is already registered',
      code: 'email_taken',
    })
    expect((await editRefused(fan, 400, { username: 'admin' })).code).toBe('username_reserved')
    expect((await read(fan)).username).toBe(fan.username)
  })

  it('makes another address count at once, and tells the old and the new one', async () => {
    const person = await createUser()
    const email = `${randomUUID()}@example.test`
    expect((await edit(person, { email })).email).toBe(email)
    expect((await waitForMail(person.email)).subject).toBe('Your email address was changed')
    expect((await waitForMail(email)).text).toContain('made this the email address of your')
    expect((await logged(person, 'account.edit'))[0]?.change).toEqual({ fields: ['email'] })
    expect(JSON.stringify(await logged(person, 'account.edit'))).not.toContain(email)
  })

  it('makes an account of somebody under 18 read-only, and an age of 18 lifts that', async () => {
    const person = await createUser()
    const reason = 'You must be 18 or older to use this platform.'
    expect((await edit(person, { age: 13 })).readOnlyReason).toBe(reason)
    expect((await apiAs(person).get('/api/auth/user', OwnUser)).body.readOnlyReason).toBe(reason)
    const refused = await apiAs(person).expectError('POST', '/api/posts', 403, { body: { content: 'Hi' } })
    expect(refused.code).toBe('account_read_only')
    expect((await edit(person, { age: 17 })).readOnlyReason).toBe(reason)
    expect((await edit(person, { age: 18 })).readOnlyReason).toBeNull()
    await apiAs(person).post('/api/posts', Post, { content: 'Hi' }, 201)
  })

  it('sets pictures that the admin uploaded, keeps the present one, takes it away, and nothing else', async () => {
    const person = await createUser()
    const [photo, cover] = await Promise.all([uploaded(boss, 'profile'), uploaded(boss, 'background')])
    expect((await read(person)).profileImageUrl).toBeNull()
    const after = await edit(person, {
      profileImageUrl: `${stack.apiUrl}${photo}`,
      backgroundImageUrl: cover,
    })
    expect([after.profileImageUrl, after.backgroundImageUrl]).toEqual([photo, cover])
    expect((await fetch(`${stack.apiUrl}${photo}`)).status).toBe(200)
    expect((await edit(person, { bio: 'Both stay' })).profileImageUrl).toBe(photo)

    const unusable = {
      code: 'media_not_usable',
      message: 'This upload cannot be used. Please choose the file again.',
    }
    const theirs = await uploaded(other, 'profile')
    const addresses = [
      theirs,
      photo.replace(boss.id, fan.id),
      'https://example.com/a.png',
      '/storage/v1/object/public/avatars/',
    ]
    for (const profileImageUrl of addresses)
      expect(await editRefused(fan, 400, { profileImageUrl })).toEqual(unusable)
    // Of one that somebody has already, too.
    expect(await editRefused(fan, 400, { profileImageUrl: photo })).toEqual(unusable)
    expect((await edit(person, { profileImageUrl: null })).profileImageUrl).toBeNull()
    expect((await edit(person, { backgroundImageUrl: '' })).backgroundImageUrl).toBeNull()

    const large = await upload(boss, 'profile', new Uint8Array(5 * 1024 * 1024 + 1))
    expect([large.status, await large.json()]).toEqual([
      413,
      { message: uploadErrors.ownImageSize, code: 'payload_too_large' },
    ])
    expect((await upload(boss, 'background', Buffer.from('no picture'))).status).toBe(415)
    expect((await upload(fan, 'profile', createPng({ width: 2, height: 2 }))).status).toBe(403)
  })
})

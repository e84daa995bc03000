import { randomUUID } from 'node:crypto'
import { AdminStats, AdminUser } from '@contract/admin.ts'
import { totalCountHeader } from '@contract/headers.ts'
import { ImageUpload, uploadErrors } from '@contract/media.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { fetchMails, waitForMail } from '../support/mail.ts'
import { createPng, fileForm } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import {
  createUser,
  createUsers,
  getOwnUser,
  makeAdmin,
  makeCreator,
  type TestUser,
} from '../support/users.ts'

/** A string that occurs only in the names and email addresses of this file's users. */
const uniqueName = `q${randomUUID().replaceAll('-', '').slice(0, 10)}`
const usersPath = '/api/admin/users'
const userPath = ({ id }: { id: string }, path = '') => `${usersPath}/${id}${path}`

let admin: TestUser
let otherAdmin: TestUser
let fan: TestUser
let creator: TestUser

beforeAll(async () => {
  const users = await createUsers('admin', 'otherAdmin', 'fan', 'creator')
  ;({ admin, otherAdmin, fan, creator } = users)
  await makeAdmin(admin, otherAdmin)
  await makeCreator(creator)
})

const getAdminUser = async (user: { id: string }) => (await apiAs(admin).get(userPath(user), AdminUser)).body
/** Returns the audit entries for an action on a user, newest first. */
const auditEntries = (user: { id: string }, action: string) =>
  sql<{ actor: string; change: Record<string, unknown>; subject: string | null }[]>`
    select actor_id as actor, change, subject from public.audit_entries
    where target_id = ${user.id} and action = ${action} order by id desc`

/** Returns an edit form with the current values of a user and the given changes. */
const form = (adminUser: AdminUser, changes: Record<string, unknown> = {}) => ({
  fullName: adminUser.fullName,
  username: adminUser.username,
  email: adminUser.email,
  phoneNumber: adminUser.phoneNumber,
  bio: adminUser.bio,
  age: adminUser.age,
  profileImageUrl: adminUser.profileImageUrl,
  backgroundImageUrl: adminUser.backgroundImageUrl,
  allowDirectMessages: adminUser.allowDirectMessages,
  showFollowerCount: adminUser.showFollowerCount,
  showProfileInDirectory: adminUser.showProfileInDirectory,
  makeProfileDiscoverable: adminUser.makeProfileDiscoverable,
  ...changes,
})
const edit = async (user: { id: string }, changes: Record<string, unknown>) =>
  (await apiAs(admin).put(userPath(user, '/profile'), AdminUser, form(await getAdminUser(user), changes)))
    .body
const expectEditError = async (user: { id: string }, status: number, changes: Record<string, unknown>) =>
  await apiAs(admin).expectError('PUT', userPath(user, '/profile'), status, {
    body: form(await getAdminUser(user), changes),
  })

async function upload(user: TestUser, kind: 'profile' | 'background', bytes: Uint8Array) {
  const headers = authorizationHeader(user)
  return await call('POST', `/api/admin/upload/${kind}-image`, { headers, form: fileForm('image', bytes) })
}
const uploadAndGetUrl = async (user: TestUser, kind: 'profile' | 'background') =>
  ImageUpload.parse(await (await upload(user, kind, createPng({ width: 20, height: 10 }))).json()).imageUrl

describe('GET /api/admin/users and GET /api/admin/users/:id', () => {
  it('searches names, usernames and emails, and filters, counts and paginates the users', async () => {
    const names = ['Zoë', 'Yann', 'Xaver']
    const created = await Promise.all(names.map((name) => createUser({ fullName: `${name} ${uniqueName}` })))
    await sql`update public.profiles set is_creator = true where id = ${created[0]?.id ?? ''}`
    await sql`
      update public.accounts set suspended_at = now(), suspension_reason = 'Spam' where user_id = ${created[1]?.id ?? ''}`
    const search = async (query: string) => {
      const { body, headers, next } = await apiAs(admin).get(`${usersPath}?${query}`, z.array(AdminUser))
      return { ids: body.map(({ id }) => id), total: Number(headers.get(totalCountHeader)), next }
    }
    const newest = (
      await sql<{ id: string }[]>`
        select id from public.profiles where id = any (${created.map(({ id }) => id)}) order by created_at desc, id desc`
    ).map(({ id }) => id)
    expect(await search(`search=${uniqueName}`)).toEqual({ ids: newest, total: 3, next: null })
    expect((await search(`search=%20${uniqueName.toUpperCase()}`)).total).toBe(3)
    expect((await search(`search=zoe%20${uniqueName}`)).ids).toEqual([created[0]?.id])
    expect((await search(`search=Zo%C3%AB%20${uniqueName}`)).ids).toEqual([created[0]?.id])
    expect((await search(`search=@${created[1]?.username}`)).ids).toEqual([created[1]?.id])
    expect((await search(`search=${encodeURIComponent(created[2]?.email ?? '')}`)).ids).toEqual([
      created[2]?.id,
    ])
    expect((await search(`search=${uniqueName}%25`)).total).toBe(0)
    expect((await search(`search=${uniqueName}&filter=creators`)).ids).toEqual([created[0]?.id])
    expect((await search(`search=${uniqueName}&filter=suspended`)).ids).toEqual([created[1]?.id])
    expect((await search(`search=${uniqueName}&filter=admins`)).ids).toEqual([])
    expect((await search(`search=${uniqueName}&filter=unapproved`)).ids).toEqual(newest)
    expect((await search(`search=${uniqueName}&filter=auto_posting`)).total).toBe(0)

    const pages = await apiAs(admin).getAllPages(
      `${usersPath}?search=${uniqueName}&limit=1`,
      z.array(AdminUser),
    )
    expect(pages.map(({ id }) => id)).toEqual(newest)
    expect(await search(`search=${uniqueName}&limit=1&offset=1`)).toMatchObject({
      ids: [newest[1]],
      total: 3,
    })
    const allUsers = await search('limit=2')
    expect(allUsers.ids).toHaveLength(2)
    expect(allUsers.total).toBeGreaterThan(5)
    const admins = await apiAs(admin).get(`${usersPath}?filter=admins&limit=50`, z.array(AdminUser))
    expect(admins.body.every(({ isAdmin }) => isAdmin)).toBe(true)

    // After a change, the search finds the new email address but not the old one.
    await sql`update auth.users set email = ${`${uniqueName}@new.test`} where id = ${created[2]?.id ?? ''}`
    expect((await search(`search=${uniqueName}@new`)).ids).toEqual([created[2]?.id])
    expect((await search(`search=${encodeURIComponent(created[2]?.email ?? '')}`)).total).toBe(0)
  })

  it('sorts the users by name or by sign-up date, in both directions and across pages', async () => {
    const name = `s${randomUUID().replaceAll('-', '').slice(0, 10)}`
    // Users are sorted by the displayed name: the first and last name if set, otherwise the full name. Case and accents
    // are ignored.
    const bela = await createUser({ fullName: `béla ${name}` })
    const carl = await createUser({ fullName: `Carl ${name}` })
    const zora = await createUser({ fullName: `Zora ${name}` })
    await sql`update public.profiles set first_name = 'Anna', last_name = ${name} where id = ${zora.id}`
    const twin = await createUser({ fullName: `Carl ${name}` })
    const inJoiningOrder = [bela, carl, zora, twin].map(({ id }) => id)
    const twins = [carl.id, twin.id].sort()
    const byName = [zora.id, bela.id, ...twins]
    const ids = async (query: string) =>
      (await apiAs(admin).getAllPages(`${usersPath}?search=${name}&${query}`, z.array(AdminUser))).map(
        ({ id }) => id,
      )
    for (const limit of [1, 2, 50]) {
      expect(await ids(`limit=${limit}&sort=name`)).toEqual(byName)
      expect(await ids(`limit=${limit}&sort=name_desc`)).toEqual(byName.toReversed())
      expect(await ids(`limit=${limit}&sort=oldest`)).toEqual(inJoiningOrder)
      expect(await ids(`limit=${limit}&sort=newest`)).toEqual(inJoiningOrder.toReversed())
    }
    expect(await ids('sort=name&filter=unapproved')).toEqual(byName)
    expect(await ids('sort=name&filter=creators')).toEqual([])
  })

  it('rejects an unknown sort order and a cursor from another sort order', async () => {
    await apiAs(admin).expectError('GET', `${usersPath}?sort=email`, 400)
    const cursorOf = async (sort: string) =>
      encodeURIComponent(
        (await apiAs(admin).get(`${usersPath}?sort=${sort}&limit=1`, z.array(AdminUser))).next ?? '',
      )
    const cases = [
      ['name', await cursorOf('newest')],
      ['oldest', await cursorOf('name')],
      ['name_desc', 'name_x_00'],
      ['name', `name_${randomUUID()}_00`],
    ]
    for (const [sort, cursor] of cases) {
      const error = await apiAs(admin).expectError('GET', `${usersPath}?sort=${sort}&cursor=${cursor}`, 400)
      expect(error.message).toBe('This cursor is not valid.')
    }
    await apiAs(fan).expectError('GET', `${usersPath}?sort=name`, 403)
  })

  it('returns the details of a user, and 404 for unknown users', async () => {
    const creatorDetails = await getAdminUser(creator)
    expect(creatorDetails).toMatchObject({
      email: creator.email,
      phoneNumber: '+1 555 0100 200',
      isCreator: true,
      approvedAt: null,
      autoPostingEnabled: false,
      autoPostingFrequency: 'moderate',
      suspended: false,
    })
    expect((await apiAs(admin).expectError('GET', userPath({ id: randomUUID() }), 404)).message).toBe(
      'User not found',
    )
    await apiAs(admin).expectError('GET', `${usersPath}/nobody`, 404)
  })

  it('returns when a user was last seen, and counts their posts and the open cases about them', async () => {
    const user = await createUser()
    expect(await getAdminUser(user)).toMatchObject({ lastSeenAt: null, postCount: 0, openCases: 0 })
    await createPost(user, 'Reported soon')
    await apiAs(user).get('/api/messages/unread-count', z.unknown())
    await sql`insert into public.moderation_cases (kind, subject_id, user_id) values ('user', ${user.id}, ${user.id})`
    const listed = await apiAs(admin).get(`${usersPath}?search=${user.username}`, z.array(AdminUser))
    expect(listed.body).toMatchObject([{ id: user.id, postCount: 1, openCases: 1 }])
    expect(Date.now() - Date.parse(listed.body[0]?.lastSeenAt ?? '')).toBeLessThan(60_000)
  })
})

describe('GET /api/admin/stats', () => {
  it('counts the users and the admins', async () => {
    const { totalUsers, admins } = (await apiAs(admin).get('/api/admin/stats', AdminStats)).body
    expect(admins).toBeGreaterThanOrEqual(2)
    expect(totalUsers).toBeGreaterThan(admins)
  })

  it('counts the new users of each of the last 30 days', async () => {
    const readSignUps = async () => (await apiAs(admin).get('/api/admin/stats', AdminStats)).body.signUps
    const before = await readSignUps()
    expect(before).toHaveLength(30)
    const [recent, old] = await Promise.all([createUser(), createUser()])
    await sql`update public.profiles set created_at = created_at - interval '2 days' where id = ${recent.id}`
    await sql`update public.profiles set created_at = created_at - interval '31 days' where id = ${old.id}`
    expect((await readSignUps()).at(-3)).toBe((before.at(-3) ?? 0) + 1)
  })
})

describe('PUT /api/admin/users/:id/profile', () => {
  it('changes the given fields, even those of another admin, and logs the field names but not the values', async () => {
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
    const [row, ...more] = await auditEntries(fan, 'account.edit')
    expect(more).toEqual([])
    expect(row).toEqual({
      actor: admin.id,
      subject: null,
      change: { fields: ['bio', 'fullName', 'gender', 'makeProfileDiscoverable', 'show_age', 'website'] },
    })
    // A save without changes is not logged.
    await edit(fan, {})
    expect(await auditEntries(fan, 'account.edit')).toHaveLength(1)
    expect((await edit(otherAdmin, { bio: 'Another admin' })).bio).toBe('Another admin')
  })

  it('rejects invalid fields, and usernames and email addresses that are taken or reserved', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ fullName: 'x' }, 'Full name must be at least 2 characters'],
      [{ username: 'ab' }, 'Username must be at least 3 characters'],
      [{ username: 'a b c' }, 'Username can only contain letters, numbers, and underscores'],
      [{ email: 'nobody' }, 'Please enter a valid email address'],
      [{ age: 12 }, 'Please enter an age between 13 and 120.'],
      [{ isAdmin: true }, 'Unknown field: isAdmin.'],
    ]
    for (const [changes, message] of cases) {
      expect((await expectEditError(fan, 400, changes)).message).toBe(message)
    }
    expect(await expectEditError(fan, 409, { username: creator.username.toUpperCase() })).toEqual({
      message: 'Username is already taken',
      code: 'username_taken',
    })
    expect(await expectEditError(fan, 409, { email: creator.email.toUpperCase() })).toEqual({
      message: 'Email is already registered',
      code: 'email_taken',
    })
    expect((await expectEditError(fan, 400, { username: 'admin' })).code).toBe('username_reserved')
    expect((await getAdminUser(fan)).username).toBe(fan.username)
  })

  it('changes the email address immediately and notifies the old and the new address', async () => {
    const user = await createUser()
    const email = `${randomUUID()}@example.test`
    expect((await edit(user, { email })).email).toBe(email)
    expect((await waitForMail(user.email)).subject).toBe('Your email address was changed')
    expect((await waitForMail(email)).text).toContain('made this the email address of your')
    expect((await auditEntries(user, 'account.edit'))[0]?.change).toEqual({ fields: ['email'] })
    expect(JSON.stringify(await auditEntries(user, 'account.edit'))).not.toContain(email)
  })

  it('does not notify an unconfirmed old email address, which may belong to somebody else', async () => {
    const user = await createUser()
    await sql`update public.accounts set email_confirmed_at = null where user_id = ${user.id}`
    const email = `${randomUUID()}@example.test`
    await edit(user, { email })
    expect((await waitForMail(email)).text).toContain('made this the email address of your')
    expect(await fetchMails(user.email)).toEqual([])
  })

  it('makes the account of a user under 18 read-only until the age is changed to 18', async () => {
    const user = await createUser()
    const reason = 'You must be 18 or older to use this platform.'
    expect((await edit(user, { age: 13 })).readOnlyReason).toBe(reason)
    expect((await getOwnUser(user)).readOnlyReason).toBe(reason)
    const readOnlyError = await apiAs(user).expectError('POST', '/api/posts', 403, {
      body: { content: 'Hi' },
    })
    expect(readOnlyError.code).toBe('account_read_only')
    expect((await edit(user, { age: 17 })).readOnlyReason).toBe(reason)
    expect((await edit(user, { age: 18 })).readOnlyReason).toBeNull()
    await createPost(user, 'Hi')
  })

  it('sets, keeps and removes images, but accepts only images that the admin uploaded', async () => {
    const user = await createUser()
    const [photo, cover] = await Promise.all([
      uploadAndGetUrl(admin, 'profile'),
      uploadAndGetUrl(admin, 'background'),
    ])
    expect((await getAdminUser(user)).profileImageUrl).toBeNull()
    const after = await edit(user, {
      profileImageUrl: `${stack.apiUrl}${photo}`,
      backgroundImageUrl: cover,
    })
    expect([after.profileImageUrl, after.backgroundImageUrl]).toEqual([photo, cover])
    expect((await fetch(`${stack.apiUrl}${photo}`)).status).toBe(200)
    expect((await edit(user, { bio: 'Both stay' })).profileImageUrl).toBe(photo)

    const unusable = {
      code: 'media_not_usable',
      message: 'This upload cannot be used. Please choose the file again.',
    }
    const imageOfOtherAdmin = await uploadAndGetUrl(otherAdmin, 'profile')
    const urls = [
      imageOfOtherAdmin,
      photo.replace(admin.id, fan.id),
      'https://example.com/a.png',
      '/storage/v1/object/public/avatars/',
    ]
    for (const profileImageUrl of urls)
      expect(await expectEditError(fan, 400, { profileImageUrl })).toEqual(unusable)
    // An image that another user already has is rejected as well.
    expect(await expectEditError(fan, 400, { profileImageUrl: photo })).toEqual(unusable)
    expect((await edit(user, { profileImageUrl: null })).profileImageUrl).toBeNull()
    expect((await edit(user, { backgroundImageUrl: '' })).backgroundImageUrl).toBeNull()

    const large = await upload(admin, 'profile', new Uint8Array(5 * 1024 * 1024 + 1))
    expect([large.status, await large.json()]).toEqual([
      413,
      { message: uploadErrors.ownImageSize, code: 'payload_too_large' },
    ])
    expect((await upload(admin, 'background', Buffer.from('no picture'))).status).toBe(415)
    expect((await upload(fan, 'profile', createPng({ width: 2, height: 2 }))).status).toBe(403)
  })
})

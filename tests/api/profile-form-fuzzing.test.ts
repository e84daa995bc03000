import { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationHeader, call } from '../support/api.ts'
import { createRandom, unusualValues } from '../support/random.ts'
import { clearRateLimits, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const formCount = 100
let user: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ user, other } = await createUsers('user', 'other'))
})

const { below: randomBelow, pick } = createRandom(20261121)

const textValues = ['Ljubljana', '  Art school  ', 'Ørsted & Søn', 'x'.repeat(100), '', null]
const urlValues = (url: string) => [
  url,
  url.replace('https://', ''),
  `${url}?a=b#c`,
  'https://example.com/me',
  'https://user:secret@example.com/',
  `https://example.com/${'y'.repeat(300)}`,
  '',
]
/** Valid and nearly valid values, by field. */
const plausibleValues: Record<string, readonly unknown[]> = {
  fullName: ['Ana Kos', 'A', 'Ana   Kos', 'x'.repeat(80), 'x'.repeat(81)],
  firstName: ['Ana', '', null, 'x'.repeat(81)],
  lastName: ['Kos', '', null],
  username: ['admin', 'ab', 'with space', 'x'.repeat(31)],
  phoneNumber: ['+386 1 555 0100', '12345', '0000000000'],
  bio: ['I write.', 'b'.repeat(500), 'b'.repeat(501), '', null],
  isCreator: [true, false, 'true'],
  studiedAt: textValues,
  livesIn: textValues,
  fromLocation: textValues,
  relationshipStatus: ['single', 'married', 'divorced', '', null],
  gender: ['female', 'other', 'x', null],
  age: [18, '42', 17, 121, 30.5, 'ten', '', null],
  website: ['example.com', 'https://example.com', 'ftp://example.com', 'example', ''],
  tiktokUrl: urlValues('https://www.tiktok.com/@ana'),
  xUrl: urlValues('https://x.com/ana'),
  instagramUrl: urlValues('https://instagram.com/ana'),
  youtubeUrl: urlValues('https://youtu.be/ana'),
  onlyfansUrl: urlValues('https://onlyfans.com/ana'),
  showAge: [true, false, 1],
  showSocialLinks: [true, false, 'no'],
  country: ['SI', 'ZZ', 'si', 'Slovenia', null],
  allowAutoPosting: [true, false],
  approveAutoPosts: [true, false],
  quarterlyDiscount: [5, '50', 7, 55, 0, 'five', '', null],
  yearlyDiscount: [30, '30', -5, 12.5, null],
}
const fields = Object.keys(plausibleValues)
/** Names that are not fields of the form. Some of them correspond to database columns. */
const unknownFields = [
  'id',
  'userId',
  'isAdmin',
  'readOnlyReason',
  'followersCount',
  'profileImageUrl',
  '__proto__',
  'constructor',
]

/**
 * Returns a form with plausible values: up to two if `number` is even, and up to ten if it is odd. In addition, every
 * third form contains a value from `unusualValues`, every tenth an unknown field, and every 25th an `email` field.
 */
function makeForm(number: number): Record<string, unknown> {
  const form: Record<string, unknown> = {}
  const maxFields = number % 2 === 0 ? 2 : 10
  for (let count = 1 + randomBelow(maxFields); count > 0; count--) {
    const field = pick(fields)
    form[field] = pick(plausibleValues[field] ?? [])
  }
  if (number % 3 === 0) form[pick(fields)] = pick(unusualValues)
  if (number % 10 === 0) {
    Object.defineProperty(form, pick(unknownFields), {
      value: pick(unusualValues),
      enumerable: true,
      configurable: true,
    })
  }
  if (number % 25 === 0) form.email = pick([...unusualValues, other.email, 'a@b', 'Name <a@example.test>'])
  return form
}

/** Returns the stored rows that the form can change. */
const readStored = async () => {
  const [row] = await sql`
    select to_jsonb(p) as profile, to_jsonb(d) as details, to_jsonb(o) as about, to_jsonb(a) as account,
           (select to_jsonb(c) from private.email_changes c where c.user_id = p.id) as email
    from public.profiles p join public.profile_details d on d.user_id = p.id
    join public.profile_about o on o.user_id = p.id join public.accounts a on a.user_id = p.id
    where p.id = ${user.id}`
  return row
}

async function send(body: string) {
  const response = await call('PATCH', '/api/profile', {
    body,
    headers: authorizationHeader(user),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('PATCH /api/profile', () => {
  it('never fails with a server error for generated forms, and stores each of them completely or not at all', async () => {
    const outcomes = { accepted: 0, rejected: 0 }
    for (let number = 1; number <= formCount; number++) {
      if (number % 25 === 1) await clearRateLimits(user.id, 'profile', 'settings', 'email change')
      const form = makeForm(number)
      const text = JSON.stringify(form)
      const before = await readStored()
      const { status, body } = await send(text)
      const context = [number, text.slice(0, 300), status, JSON.stringify(body).slice(0, 300)]
      expect(context).toEqual([number, context[1], expect.toBeOneOf([200, 400, 409]), context[3]])
      const expected = ProfileRequest.safeParse(JSON.parse(text))
      if (status !== 200) {
        outcomes.rejected++
        expect([context, await readStored()]).toEqual([context, before])
        continue
      }
      outcomes.accepted++
      expect([context, expected.success]).toEqual([context, true])
      const { email: _email, ...fields } = expected.data ?? {}
      const returned = OwnUser.parse(body)
      expect([context, returned]).toEqual([context, expect.objectContaining(fields)])
    }
    // The test covers both outcomes only if it generates enough valid and enough invalid forms.
    expect(outcomes.accepted).toBeGreaterThan(15)
    expect(outcomes.rejected).toBeGreaterThan(40)
  })

  it('rejects bodies that are too large or not a valid object', async () => {
    const before = await readStored()
    for (const body of [
      '',
      'null',
      '[]',
      '"text"',
      '7',
      '{',
      '{"bio":"a"',
      '{"bio":"\\ud800"}',
      '[{"bio":"a"}]',
    ]) {
      expect([body, (await send(body)).status]).toEqual([body, 400])
    }
    expect((await send(`{"bio":"${'x'.repeat(200_000)}"}`)).status).toBe(413)
    // If a key is repeated, the last value is validated.
    expect((await send('{"age":30,"age":7}')).status).toBe(400)
    expect(await readStored()).toEqual(before)
  })
})

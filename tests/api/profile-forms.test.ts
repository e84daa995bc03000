import { ProfileRequest } from '@contract/settings.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { clearRateLimits, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const forms = 100
let person: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ person, other } = await createUsers('person', 'other'))
})

/** The same numbers at every run, from 0 up to 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = numbers(20261121)
const below = (count: number) => Math.floor(random() * count)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

/** What nobody should send, for any field. */
const nonsense: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  [],
  ['text'],
  {},
  { $ne: null },
  { toString: 'x' },
  '',
  '   ',
  '\0',
  'half \ud800 of a sign',
  'a\u0007bell',
  '\u202eright to left',
  'x'.repeat(5000),
  '👩‍👩‍👧‍👦'.repeat(400),
  "'; drop table public.profiles; --",
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'NaN',
  '1e400',
]

const line = ['Ljubljana', '  Art school  ', 'Ørsted & Søn', 'x'.repeat(100), '', null]
const page = (own: string) => [
  own,
  own.replace('https://', ''),
  `${own}?a=b#c`,
  'https://example.com/me',
  'https://user:secret@example.com/',
  `https://example.com/${'y'.repeat(300)}`,
  '',
]
/** What people may send, right or nearly. */
const fitting: Record<string, readonly unknown[]> = {
  fullName: ['Ana Kos', 'A', 'Ana   Kos', 'x'.repeat(80), 'x'.repeat(81)],
  firstName: ['Ana', '', null, 'x'.repeat(81)],
  lastName: ['Kos', '', null],
  username: ['admin', 'ab', 'with space', 'x'.repeat(31)],
  phoneNumber: ['+386 1 555 0100', '12345', '0000000000'],
  bio: ['I write.', 'b'.repeat(500), 'b'.repeat(501), '', null],
  isCreator: [true, false, 'true'],
  studiedAt: line,
  livesIn: line,
  fromLocation: line,
  relationshipStatus: ['single', 'married', 'divorced', '', null],
  gender: ['female', 'other', 'x', null],
  age: [18, '42', 17, 121, 30.5, 'ten', '', null],
  website: ['example.com', 'https://example.com', 'ftp://example.com', 'example', ''],
  tiktokUrl: page('https://www.tiktok.com/@ana'),
  xUrl: page('https://x.com/ana'),
  instagramUrl: page('https://instagram.com/ana'),
  youtubeUrl: page('https://youtu.be/ana'),
  onlyfansUrl: page('https://onlyfans.com/ana'),
  showAge: [true, false, 1],
  showSocialLinks: [true, false, 'no'],
  country: ['SI', 'ZZ', 'si', 'Slovenia', null],
  allowAutoPosting: [true, false],
  approveAutoPosts: [true, false],
}
const fields = Object.keys(fitting)
/** What is no field of the form, though it may be one of the tables. */
const foreign = [
  'id',
  'userId',
  'isAdmin',
  'readOnlyReason',
  'followersCount',
  'profileImageUrl',
  '__proto__',
  'constructor',
]

/** A form of a few fields or many; every third holds something that nobody should send. */
function makeForm(number: number): Record<string, unknown> {
  const form: Record<string, unknown> = {}
  const many = number % 2 === 0 ? 2 : 10
  for (let count = 1 + below(many); count > 0; count--) {
    const field = pick(fields)
    form[field] = pick(fitting[field] ?? [])
  }
  if (number % 3 === 0) form[pick(fields)] = pick(nonsense)
  if (number % 10 === 0) {
    Object.defineProperty(form, pick(foreign), {
      value: pick(nonsense),
      enumerable: true,
      configurable: true,
    })
  }
  if (number % 25 === 0) form.email = pick([...nonsense, other.email, 'a@b', 'Name <a@example.test>'])
  return form
}

/** Everything that is stored of somebody, but for what is counted. */
const stored = async () => {
  const [row] = await sql`
    select to_jsonb(p) as profile, to_jsonb(d) as details, to_jsonb(o) as about, to_jsonb(a) as account,
           (select to_jsonb(c) from private.email_changes c where c.user_id = p.id) as email
    from public.profiles p join public.profile_details d on d.user_id = p.id
    join public.profile_about o on o.user_id = p.id join public.accounts a on a.user_id = p.id
    where p.id = ${person.id}`
  return row
}

async function send(body: string) {
  const answer = await call('PATCH', '/api/profile', {
    body,
    headers: { Authorization: `Bearer ${person.token}` },
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

describe('a hundred forms, wrong ones included', () => {
  it('never fail on our side, store nothing of what is refused, and all of what is accepted', async () => {
    const outcomes = { accepted: 0, refused: 0 }
    for (let number = 1; number <= forms; number++) {
      if (number % 25 === 1) await clearRateLimits(person.id, 'profile', 'settings', 'email change')
      const form = makeForm(number)
      const text = JSON.stringify(form)
      const before = await stored()
      const { status, body } = await send(text)
      const told = [number, text.slice(0, 300), status, JSON.stringify(body).slice(0, 300)]
      expect(told).toEqual([number, told[1], expect.toBeOneOf([200, 400, 409]), told[3]])
      const wanted = ProfileRequest.safeParse(JSON.parse(text))
      if (status !== 200) {
        outcomes.refused++
        expect([told, await stored()]).toEqual([told, before])
        continue
      }
      outcomes.accepted++
      expect([told, wanted.success]).toEqual([told, true])
      const { email: _email, ...fields } = wanted.data ?? {}
      const is = OwnUser.parse(body)
      expect([told, is]).toEqual([told, expect.objectContaining(fields)])
    }
    // Neither kind is missing, or this would prove nothing.
    expect(outcomes.accepted).toBeGreaterThan(15)
    expect(outcomes.refused).toBeGreaterThan(40)
  })

  it('nor do bodies that are no form at all', async () => {
    const before = await stored()
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
    // One key twice: the last one counts, and is judged.
    expect((await send('{"age":30,"age":7}')).status).toBe(400)
    expect(await stored()).toEqual(before)
  })
})

import { RegisterRequest, RegisterResponse } from '@contract/auth.ts'
import { describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import {
  getInsertError,
  misleadingNames,
  namesWithHiddenCharacters,
  presentableNames,
  staffLookalikeNames,
} from '../support/name-fixtures.ts'
import { registerWithoutRateLimit, sql } from '../support/stack.ts'
import { createUser, registrationForm } from '../support/users.ts'

const visitor = apiAs(null)

const refuse = async (changes: Record<string, unknown>) =>
  await visitor.expectError('POST', '/api/auth/register', 400, { body: await registrationForm(changes) })

const verdict = async (names: string[]) =>
  await sql<{ name: string; fine: boolean; house: boolean }[]>`
    select name, private.is_presentable_name(name) as fine, private.is_house_name(name) as house
    from unnest(${names}::text[]) name`
const parsed = (fullName: string) => RegisterRequest.shape.fullName.safeParse(fullName)

describe('a full name', () => {
  it('may be any that people have, for the API and the database alike', async () => {
    const tidied = presentableNames.map((name) => [name, parsed(name).data] as const)
    expect(tidied.filter(([, data]) => data === undefined)).toEqual([])
    const stored = tidied.map(([, data]) => data ?? '')
    expect((await verdict(stored)).filter((row) => !row.fine || row.house)).toEqual([])
  })

  it('is one spelling of what looks the same', async () => {
    expect(parsed(' \u00A0Jose\u0301 \u3000 Lo\u0301pez\n').data).toBe('José López')
    for (const name of ['Jose\u0301', 'Ana  Torres', ' Ana', 'Ana ', 'Ana\u00A0Torres']) {
      expect((await verdict([name]))[0]).toMatchObject({ fine: false })
    }
    const form = await registrationForm({ fullName: '  Jose\u0301 \u2003 山田 ❤️\u200D🔥 ' })
    const { body } = await registerWithoutRateLimit(() =>
      visitor.post('/api/auth/register', RegisterResponse, form, 201),
    )
    expect(body.user.fullName).toBe('José 山田 ❤️\u200D🔥')
    await sql`delete from auth.users where id = ${body.user.id}`
  })

  it('holds nothing that hides, steers, piles up or poses as another letter', async () => {
    const message = 'Full name contains characters that cannot be used'
    const told = namesWithHiddenCharacters.map((name) => [
      name,
      parsed(name).error?.issues.map((issue) => issue.message),
    ])
    expect(told).toEqual(namesWithHiddenCharacters.map((name) => [name, [message]]))
    const unusable = [...namesWithHiddenCharacters, ...misleadingNames]
    expect((await verdict(unusable)).filter((row) => row.fine)).toEqual([])
    for (const fullName of [
      ...namesWithHiddenCharacters.slice(0, 4),
      ...misleadingNames.slice(0, 2),
      ...misleadingNames.slice(3, 5),
    ]) {
      expect(await refuse({ fullName })).toEqual({
        message,
        code: 'validation_failed',
        errors: { fullName: [message] },
      })
      const inserted = await getInsertError({ fullName })
      expect(inserted).toMatchObject({ code: 'PT400', message: message.replace('Full', 'This') })
    }
  })

  it('does not pose as the house', async () => {
    const message = 'This name is reserved'
    expect((await verdict(staffLookalikeNames)).filter((row) => !row.house)).toEqual([])
    expect((await refuse({ fullName: 'Ovation Support' })).errors).toEqual({ fullName: [message] })
    expect(await getInsertError({ fullName: 'Ovation Support' })).toMatchObject({ code: 'PT400', message })
    const person = await createUser()
    const halves = sql`update public.profiles set first_name = 'Customer', last_name = 'Service' where id = ${person.id}`
    await expect(halves).rejects.toMatchObject({ code: 'PT400', message })
  })

  it('from before the rules is kept while another one changes', async () => {
    const person = await createUser()
    await sql.begin(async (tx) => {
      await tx`alter table public.profiles disable trigger check_names`
      await tx`update public.profiles set full_name = ${'Jose\u0301'} where id = ${person.id}`
      await tx`alter table public.profiles enable trigger check_names`
    })
    await sql`update public.profiles set first_name = 'Ana' where id = ${person.id}`
    const again = sql`update public.profiles set full_name = ${'Ana\u0301\u200b'} where id = ${person.id}`
    await expect(again).rejects.toMatchObject({ code: 'PT400' })
  })

  it('has 2 to 80 characters as people count them', async () => {
    const long = 'Full name must be at most 80 characters'
    expect(parsed('𝓐'.repeat(80)).success).toBe(true)
    expect(parsed('é'.normalize('NFD').repeat(80)).success).toBe(true)
    for (const fullName of ['a'.repeat(81), '𝓐'.repeat(81), 'a '.repeat(41), 'x'.repeat(50_000)]) {
      expect((await refuse({ fullName, recaptcha: 'x' })).errors).toEqual({ fullName: [long] })
    }
    for (const fullName of ['', ' ', 'A', '李', ' \u3000A ', '\u00A0']) {
      const body = await refuse({ fullName, recaptcha: 'x' })
      expect(body.errors).toEqual({ fullName: ['Full name must be at least 2 characters'] })
    }
    expect(await getInsertError({ fullName: 'a'.repeat(81) })).toMatchObject({ code: '23514' })
  })
})

describe('the other fields of a registration', () => {
  const refusedField = async (field: string, value: unknown) =>
    (await refuse({ [field]: value, recaptcha: 'x' })).errors

  it('the username is of plain letters, digits and underscores', async () => {
    for (const username of [
      'an a',
      'ana!',
      'añа',
      'аdmin',
      'ana\u200B',
      'ana\r\nx',
      '<ana>',
      'ana@x',
      '١٢٣',
      'ａｎａ',
    ]) {
      expect(await refusedField('username', username)).toEqual({
        username: ['Username can only contain letters, numbers, and underscores'],
      })
    }
    const long = { username: ['Username must be at most 30 characters'] }
    expect(await refusedField('username', 'a'.repeat(31))).toEqual(long)
  })

  it('the address is one mailbox, and nothing that steers a mail', async () => {
    const text = ['Please enter a valid email address']
    for (const email of [
      'a@example.test\r\nBcc: b@example.test',
      'a\u0000@example.test',
      'a\t@example.test',
      'a b@example.test',
      'a@example.test,b@example.test',
      'Ana <a@example.test>',
      'a@exämple.test',
      'а@example.test',
      'a@еxample.test',
      'a\u202E@example.test',
      'a@@example.test',
      'a@example',
      `${'a'.repeat(250)}@x.test`,
      `a@${'b.'.repeat(130)}test`,
    ]) {
      expect([email, await refusedField('email', email)]).toEqual([email, { email: text }])
    }
    for (const email of ['ana+news@example.test', "o'neil.x@example.test", 'a@xn--exmple-cua.test']) {
      expect(RegisterRequest.shape.email.safeParse(email).data).toBe(email)
    }
  })

  it('the phone number is digits as people write them', async () => {
    const text = ['Please enter a valid phone number']
    for (const phoneNumber of [
      '+1 555 0100\r\n200',
      '+1 555 0100 200 ext',
      '+1\u202E5550100200',
      '٠١٢٣٤٥٦٧٨٩',
      '＋１５５５０１００２００',
      '----------',
      '(  )  (  )',
      '1'.repeat(33),
      '+1555'.padEnd(12, '\u0000'),
    ]) {
      expect([phoneNumber, await refusedField('phoneNumber', phoneNumber)]).toEqual([
        phoneNumber,
        { phoneNumber: text },
      ])
    }
  })
})

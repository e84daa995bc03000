import { RegisterRequest, RegisterResponse } from '@contract/auth.ts'
import { describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import {
  getInsertError,
  misleadingNames,
  namesWithHiddenCharacters,
  staffLookalikeNames,
  validNames,
} from '../support/name-fixtures.ts'
import { registerWithoutRateLimit, sql } from '../support/stack.ts'
import { createUser, registrationForm } from '../support/users.ts'

const visitor = apiAs(null)

const registerExpectingError = async (changes: Record<string, unknown>) =>
  await visitor.expectError('POST', '/api/auth/register', 400, { body: await registrationForm(changes) })

const checkInDatabase = async (names: string[]) =>
  await sql<{ name: string; valid: boolean; lookalike: boolean }[]>`
    select name, private.is_valid_display_name(name) as valid, private.is_staff_lookalike(name) as lookalike
    from unnest(${names}::text[]) name`
const parseFullName = (fullName: string) => RegisterRequest.shape.fullName.safeParse(fullName)

describe('a full name', () => {
  it('is accepted in many scripts by the API and the database', async () => {
    const normalized = validNames.map((name) => [name, parseFullName(name).data] as const)
    expect(normalized.filter(([, data]) => data === undefined)).toEqual([])
    const stored = normalized.map(([, data]) => data ?? '')
    expect((await checkInDatabase(stored)).filter((row) => !row.valid || row.lookalike)).toEqual([])
  })

  it('is normalized', async () => {
    expect(parseFullName(' \u00A0Jose\u0301 \u3000 Lo\u0301pez\n').data).toBe('José López')
    for (const name of ['Jose\u0301', 'Ana  Torres', ' Ana', 'Ana ', 'Ana\u00A0Torres']) {
      expect((await checkInDatabase([name]))[0]).toMatchObject({ valid: false })
    }
    const form = await registrationForm({ fullName: '  Jose\u0301 \u2003 山田 ❤️\u200D🔥 ' })
    const { body } = await registerWithoutRateLimit(() =>
      visitor.post('/api/auth/register', RegisterResponse, form, 201),
    )
    expect(body.user.fullName).toBe('José 山田 ❤️\u200D🔥')
    await sql`delete from auth.users where id = ${body.user.id}`
  })

  it('cannot contain characters that are invisible, change the text direction or imitate other letters', async () => {
    const message = 'Full name contains characters that cannot be used'
    const messages = namesWithHiddenCharacters.map((name) => [
      name,
      parseFullName(name).error?.issues.map((issue) => issue.message),
    ])
    expect(messages).toEqual(namesWithHiddenCharacters.map((name) => [name, [message]]))
    const unusable = [...namesWithHiddenCharacters, ...misleadingNames]
    expect((await checkInDatabase(unusable)).filter((row) => row.valid)).toEqual([])
    for (const fullName of [
      ...namesWithHiddenCharacters.slice(0, 4),
      ...misleadingNames.slice(0, 2),
      ...misleadingNames.slice(3, 5),
    ]) {
      expect(await registerExpectingError({ fullName })).toEqual({
        message,
        code: 'validation_failed',
        errors: { fullName: [message] },
      })
      const inserted = await getInsertError({ fullName })
      expect(inserted).toMatchObject({ code: 'PT400', message: message.replace('Full', 'This') })
    }
  })

  it('cannot imitate staff', async () => {
    const message = 'This name is reserved'
    expect((await checkInDatabase(staffLookalikeNames)).filter((row) => !row.lookalike)).toEqual([])
    expect((await registerExpectingError({ fullName: 'Ovation Support' })).errors).toEqual({
      fullName: [message],
    })
    expect(await getInsertError({ fullName: 'Ovation Support' })).toMatchObject({ code: 'PT400', message })
    const user = await createUser()
    const update = sql`update public.profiles set first_name = 'Customer', last_name = 'Service' where id = ${user.id}`
    await expect(update).rejects.toMatchObject({ code: 'PT400', message })
  })

  it('that predates the rules does not prevent changes to other name fields', async () => {
    const user = await createUser()
    await sql.begin(async (tx) => {
      await tx`alter table public.profiles disable trigger check_names`
      await tx`update public.profiles set full_name = ${'Jose\u0301'} where id = ${user.id}`
      await tx`alter table public.profiles enable trigger check_names`
    })
    await sql`update public.profiles set first_name = 'Ana' where id = ${user.id}`
    const laterUpdate = sql`update public.profiles set full_name = ${'Ana\u0301\u200b'} where id = ${user.id}`
    await expect(laterUpdate).rejects.toMatchObject({ code: 'PT400' })
  })

  it('has 2 to 80 characters, counted as code points after normalization', async () => {
    const tooLong = 'Full name must be at most 80 characters'
    expect(parseFullName('𝓐'.repeat(80)).success).toBe(true)
    expect(parseFullName('é'.normalize('NFD').repeat(80)).success).toBe(true)
    for (const fullName of ['a'.repeat(81), '𝓐'.repeat(81), 'a '.repeat(41), 'x'.repeat(50_000)]) {
      expect((await registerExpectingError({ fullName, recaptcha: 'x' })).errors).toEqual({
        fullName: [tooLong],
      })
    }
    for (const fullName of ['', ' ', 'A', '李', ' \u3000A ', '\u00A0']) {
      const body = await registerExpectingError({ fullName, recaptcha: 'x' })
      expect(body.errors).toEqual({ fullName: ['Full name must be at least 2 characters'] })
    }
    expect(await getInsertError({ fullName: 'a'.repeat(81) })).toMatchObject({ code: '23514' })
  })
})

describe('POST /api/auth/register', () => {
  const errorsFor = async (field: string, value: unknown) =>
    (await registerExpectingError({ [field]: value, recaptcha: 'x' })).errors

  it('accepts only usernames made up of ASCII letters, digits and underscores', async () => {
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
      expect(await errorsFor('username', username)).toEqual({
        username: ['Username can only contain letters, numbers, and underscores'],
      })
    }
    const long = { username: ['Username must be at most 30 characters'] }
    expect(await errorsFor('username', 'a'.repeat(31))).toEqual(long)
  })

  it('accepts only a single email address that cannot inject headers', async () => {
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
      expect([email, await errorsFor('email', email)]).toEqual([email, { email: text }])
    }
    for (const email of ['ana+news@example.test', "o'neil.x@example.test", 'a@xn--exmple-cua.test']) {
      expect(RegisterRequest.shape.email.safeParse(email).data).toBe(email)
    }
  })

  it('accepts only phone numbers made up of digits and common separators', async () => {
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
      expect([phoneNumber, await errorsFor('phoneNumber', phoneNumber)]).toEqual([
        phoneNumber,
        { phoneNumber: text },
      ])
    }
  })
})

import { createPng } from '../support/media-files.ts'
import { type Random, unusualValues } from '../support/random.ts'
import type { Actors } from './actors.ts'
import type { Operation, Schema } from './openapi.ts'

export interface FuzzRequest {
  operation: Operation
  /** Who sends the request: a user, or null for a visitor. */
  actor: keyof Actors['users'] | null
  method: string
  /** The path and query, which are sent without further encoding. */
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** Whether the request is certain to reach the operation. Only then do the operation's documented responses apply. */
  reachesOperation: boolean
}

/** Hostile values for path parameters. */
const hostileSegments = [
  '%00',
  '%',
  '%ff',
  '%E0%A4%A',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%2f..%2fadmin',
  '%2f',
  '%5c',
  '-1',
  '0',
  '1e400',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  "'%20or%201=1--",
  '%22%3e%3cscript%3e',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{id}',
  'a'.repeat(7000),
]

const hostileHeaders: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': `multipart/form-data; boundary=${'b'.repeat(300)}` },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity, br' },
  { accept: 'text/html;q=0.1, */*;q=9' },
  { accept: 'x'.repeat(4000) },
  { 'accept-encoding': 'br;q=0, gzip;q=2, *' },
  { 'accept-language': '\u00ff\u00fe' },
  { range: 'bytes=0-0' },
  { range: 'bytes=-1,5-' },
  { range: 'bytes=99999999999999999999-' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'Mon, 99 Foo 0000' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { host: 'evil.example' },
  { 'x-forwarded-for': '1.2.3.4, ::1, unknown, %00' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
  { 'x-request-id': "x'; drop table--".repeat(40) },
  { 'x-http-method-override': 'DELETE' },
  { cookie: 'sb-127-auth-token=base64-%%%; =; ;;; a' },
  { cookie: `sb-access-token=${'c'.repeat(3000)}` },
  { 'user-agent': '' },
  { 'user-agent': '\u0080'.repeat(2000) },
  { expect: 'something' },
  { authorization: 'Bearer' },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer a.b.c' },
  {
    authorization:
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6OTk5OTk5OTk5OX0.',
  },
  { authorization: `Bearer ${'d'.repeat(6000)}` },
]

/** Bodies that are not the JSON that an operation expects. */
const hostileBodies: readonly (() => Buffer)[] = [
  () => Buffer.from(''),
  () => Buffer.from('null'),
  () => Buffer.from('[]'),
  () => Buffer.from('"text"'),
  () => Buffer.from('{'),
  () => Buffer.from('{"a":1}}'),
  () => Buffer.from('{"a":NaN}'),
  () => Buffer.from('\ufeff{}'),
  () => Buffer.from('[{}]'),
  () => Buffer.from('['.repeat(20_000)),
  () => Buffer.from(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
  () => Buffer.from(`{"content":"${'x'.repeat(90_000)}"}`),
  () => Buffer.from(`{"content":"${'x'.repeat(150_000)}"}`),
  () => Buffer.from(`{${Array.from({ length: 5_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`),
  () => Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  () => Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  () => Buffer.from('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'),
  () => Buffer.from(`{"amount":${'9'.repeat(400)},"id":1e999}`),
  () => Buffer.from('{"content":"\\ud800","id":"\\u0000"}'),
  () =>
    Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nGIF89a\r\n--x--'),
]

/**
 * Creates the request for one fuzz case. The same random sequence yields the same request, apart from IDs and tokens.
 */
export function createRequest(operation: Operation, actors: Actors, random: Random): FuzzRequest {
  const needsAdmin = operation.path.startsWith('/api/admin') && random.chance(0.7)
  const actor = needsAdmin
    ? 'admin'
    : random.pick([null, 'user', 'user', 'creator', 'creator', 'admin', 'admin'] as const)
  /** The number of mutations that make the request hostile. If there are any, more generated values are invalid. */
  const mutationCount = random.pick([0, 0, 0, 1, 1, 2])
  const generator = new Generator(actors, random, mutationCount > 0 ? 0.25 : 0)
  const request: FuzzRequest = {
    operation,
    actor,
    method: operation.method,
    path: generator.path(operation),
    headers: actor ? { authorization: `Bearer ${actors.users[actor].token}` } : {},
    body: null,
    reachesOperation: true,
  }
  const content = operation.requestBody?.content ?? {}
  if (content['application/json']?.schema) {
    request.headers['content-type'] = 'application/json'
    request.body = Buffer.from(JSON.stringify(generator.value(content['application/json'].schema)) ?? '')
  } else if (content['multipart/form-data']) {
    request.headers['content-type'] = 'multipart/form-data; boundary=fuzz'
    request.body = createForm(random)
  }
  for (let count = 0; count < mutationCount; count++) mutate(request, random)
  return request
}

function mutate(request: FuzzRequest, random: Random): void {
  switch (random.below(6)) {
    case 0:
    case 1:
      Object.assign(request.headers, random.pick(hostileHeaders))
      break
    case 2:
      if (request.method === 'GET') break
      request.body = random.pick(hostileBodies)()
      break
    case 3:
      // This can repeat a field, and parsers differ in which of its values they use.
      if (request.body?.toString().startsWith('{"'))
        request.body = Buffer.from(`{"id":1,"content":null,${request.body.toString().slice(1)}`)
      break
    case 4:
      request.path += `${request.path.includes('?') ? '&' : '?'}${random.pick([
        'limit=1&limit=2',
        'limit=%00',
        'cursor=%FF%FE',
        'cursor=eyJhIjoxfQ',
        '__proto__[a]=1',
        'a[]=1&a[b]=2',
        `q=${'%F0%9F%98%80'.repeat(500)}`,
        '%',
        '=&&==',
        `${'x=1&'.repeat(1500)}`,
        'limit=-1&offset=99999999999999999999',
        'limit=1e3&offset=0x10',
      ])}`
      break
    case 5:
      request.reachesOperation = false
      if (random.chance(0.3))
        request.method = random.pick(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
      else
        request.path = random.pick([
          `${request.path.split('?')[0]}/`,
          request.path.replace('/api/', '/api//'),
          request.path.replace('/api/', '/API/'),
          request.path.replace('/api/', '/api/./'),
          request.path.replace('/api/', '/api/../api/'),
          request.path.replace('/api/', '/api/%2e%2e/'),
          `${request.path}%00`,
          `${request.path};a=b`,
          `http://evil.example${request.path}`,
          `//evil.example${request.path}`,
        ])
  }
}

function createForm(random: Random): Buffer {
  const names = ['image', 'image', 'image', 'video', 'file', 'userId', '__proto__', '']
  const png = createPng({ width: 40, height: 30 })
  const contents = [
    png,
    png,
    png,
    Buffer.from('not an image'),
    Buffer.from(''),
    Buffer.from('GIF89a\u0001\u0000\u0001\u0000'),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0xff]),
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]),
    Buffer.from('RIFF\uffff\uffffWEBPVP8 '),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    Buffer.alloc(50_000, 'z'),
  ]
  const types = ['image/png', 'image/jpeg', 'video/mp4', 'text/html', 'x']
  const parts = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => {
    const fileName = random.chance(0.8)
      ? `; filename="${random.pick(['a.png', '../../etc/passwd', '\u0000', ''])}"`
      : ''
    return [
      Buffer.from(`--fuzz\r\nContent-Disposition: form-data; name="${random.pick(names)}"${fileName}\r\n`),
      Buffer.from(`Content-Type: ${random.pick(types)}\r\n\r\n`),
      random.pick(contents),
      Buffer.from('\r\n'),
    ]
  })
  const end = random.chance(0.9) ? [Buffer.from('--fuzz--\r\n')] : []
  return Buffer.concat([...parts.flat(), ...end])
}

const texts = [
  'Ljubljana',
  'Ørsted & Søn #tag',
  '  spaces  ',
  '👩‍👩‍👧‍👦 family',
  'مرحبا',
  'a',
  'İstanbul ß ﬁ',
  'e\u0301'.repeat(40),
]

/** Maps the name of a field or path parameter to the key of its possible values in `Actors.ids`. */
const referenceFields: Record<string, string> = {
  receiverId: 'users',
  creatorId: 'users',
  userId: 'users',
  otherUserId: 'users',
  identifier: 'users',
  postId: 'posts',
  postIds: 'posts',
  parentCommentId: 'comments',
  replyToId: 'messages',
  targetId: 'posts',
  caseIds: 'cases',
}

/** Creates values for a schema, most of which match it. If `errorRate` is above 0, more of them are invalid. */
class Generator {
  readonly #actors: Actors
  readonly #random: Random
  readonly #errorRate: number

  constructor(actors: Actors, random: Random, errorRate: number) {
    this.#actors = actors
    this.#random = random
    this.#errorRate = errorRate
  }

  path({ path, parameters = [] }: Operation): string {
    const filled = path.replace(/([^/]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
      if (this.#random.chance(this.#errorRate)) return `${segment}/${this.#random.pick(hostileSegments)}`
      return `${segment}/${this.#id(referenceFields[name] ?? segment)}`
    })
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || this.#random.chance(0.5)))
      // The generator cannot create valid cursors.
      .filter((parameter) => parameter.name !== 'cursor' || this.#errorRate > 0)
      .map(({ name, schema = {} }) => {
        const value = this.value(schema, name)
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        // A lone surrogate cannot be encoded.
        return `${encodeURIComponent(name)}=${encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '?'))}`
      })
    return query.length > 0 ? `${filled}?${query.join('&')}` : filled
  }

  value(schema: Schema, name = ''): unknown {
    const random = this.#random
    if (random.chance(this.#errorRate)) return random.pick(unusualValues)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return this.value(random.pick(options), name)
    if (schema.enum) return random.pick(schema.enum)
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return this.#object(schema)
      case 'array': {
        const { minItems = 0, maxItems = 5 } = schema
        const length = random.pick([minItems, minItems + 1, Math.min(maxItems, 60)])
        return Array.from({ length }, () => this.value(schema.items ?? {}, name))
      }
      case 'integer':
      case 'number':
        return this.#number(schema, type)
      case 'boolean':
        return random.chance(0.5)
      case 'string':
        return this.#text(schema, name)
      case 'null':
        return null
      default:
        return random.pick(unusualValues)
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema): Record<string, unknown> {
    const entries = Object.entries(properties)
      .filter(([name]) => required.includes(name) || this.#random.chance(0.5))
      .map(([name, part]) => [name, this.value(part, name)] as const)
    if (typeof additionalProperties === 'object') entries.push(['extra', this.value(additionalProperties)])
    return Object.fromEntries(entries)
  }

  #number({ minimum = -5, maximum = 1000 }: Schema, type: string): number {
    const { pick, below } = this.#random
    const within = Math.min(maximum, minimum + below(20))
    const bounded =
      this.#errorRate > 0 ? pick([within, minimum - 1, maximum + 1]) : pick([minimum, maximum, within])
    return type === 'integer' ? bounded : pick([bounded, (100 + below(900)) / 100, bounded + 0.001])
  }

  #text({ format, minLength = 0, maxLength, pattern }: Schema, name: string): string {
    const { pick, chance, below } = this.#random
    const { users } = this.#actors
    if (name === 'recaptcha') return 'none'
    if (/[pP]assword/.test(name)) return pick(['correct horse', 'wrong', 'correct horse', ''])
    if (/^(image|video|poster|media)Url$/.test(name))
      return pick([...this.#actors.mediaUrls, 'https://example.com/a'])
    if (name in referenceFields || format === 'uuid') return this.#id(referenceFields[name] ?? '')
    if (format === 'email' || name === 'email') return pick([users.user.email, 'a@b', 'nobody@example.test'])
    if (format === 'date-time')
      return pick([
        new Date(below(2 ** 31) * 1000).toISOString(),
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59+14:00',
      ])
    if (format === 'date') return pick(['2026-02-29', '2024-02-29', '0000-01-01', '9999-12-31'])
    if (pattern) return pick([...texts, 'EUR', 'SI', '12:30', '2026-01', '#ffffff', 'abc_def'])
    if (chance(0.2))
      return 'x'.repeat(
        pick([minLength, maxLength ?? 300, this.#errorRate > 0 ? (maxLength ?? 300) + 1 : minLength + 1]),
      )
    return pick(texts)
  }

  #id(kind: string): string {
    const { pick, chance, uuid } = this.#random
    if (chance(this.#errorRate)) return uuid()
    const known = this.#actors.ids[kind] ?? []
    return pick(known.length > 0 && !chance(this.#errorRate) ? known : Object.values(this.#actors.ids).flat())
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { documentAt } from '../support/documents.ts'
import { createTestClient } from '../support/supabase-client.ts'

// Compares docs/reference/supabase-compatibility.md with the tests that run the real client, supabase-js.

const { prose } = documentAt('docs/reference/supabase-compatibility.md')

const sections = prose
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = ''] = section.split('\n', 1)
    const rows = [...section.matchAll(/^\| `([^`]+)` +\| (yes|no) +\|/gm)]
    return {
      title,
      testFiles: [...section.matchAll(/`(tests\/[\w/-]+\.test\.ts)`/g)].map(([, path = '']) => path),
      supported: new Map(rows.map(([, call = '', answer]) => [call, answer === 'yes'])),
    }
  })

/** Returns the names in backticks in a file's test titles. */
const calledIn = (path: string): string[] =>
  [
    ...readFileSync(join(root, path), 'utf8').matchAll(/^ +(?:test|it)(?:\.each\(.*\))?\(\s*'([^']+)'/gm),
  ].flatMap(([, title = '']) => [...title.matchAll(/`([^`]+)`/g)].map(([, call = '']) => call))

/** Returns the names of an object's methods, including inherited methods but not those that `isInternal` matches. */
function methodsOf(target: object): string[] {
  const names: string[] = []
  for (let each = target; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each))
  }
  const isInternal =
    /^_|^constructor$|^(from|throwOnError|setHeader|handleOperation|fetch|\w+ToQueryString|\w+ToQuery|bucketLifecycleUrl|uploadOrUpdate|prepareUploadFormData|encodeMetadata|toBase64)$/
  return names.filter((name) => typeof target[name as never] === 'function' && !isInternal.test(name))
}

/** The internal methods of the Realtime client, and those that only manage its connection or its state. */
const isLocalToRealtime =
  /^(channel|getChannels|on|accessToken|connect|disconnect|connectionState|isConnected|isConnecting|isDisconnecting|endpointURL|push|sendHeartbeat|onHeartbeat|heartbeatCallback|log|hasLogger|encode|decode|reconnectAfterMs|transport|teardown|updateJoinPayload|copyBindings)$/

/** The internal methods of the Data API client, and those that only change how the client handles the response. */
const isLocalToDataApi =
  /^(then|returns|overrideTypes|retry|cloneRequestState|processResponse|(wrap|base|decorate)Fetch)$/

/** The internal methods of the Auth client, and those that only read or manage the client's copy of the session. */
const isLocalToAuth =
  /^(logger|isThrowOnErrorEnabled|initialize|getSession|onAuthStateChange|(start|stop)AutoRefresh|dispose|fetchJwk)$/

const client = createTestClient({ apiUrl: 'http://127.0.0.1', publishableKey: 'key' })

describe('the table of supported calls', () => {
  it.each(sections)('of $title agrees with the tests of the real client', ({ testFiles, supported }) => {
    expect(testFiles.length).toBeGreaterThan(0)
    const tested = new Set(testFiles.flatMap(calledIn))
    const claimed = [...supported].filter(([, isSupported]) => isSupported).map(([call]) => call)
    expect(claimed.filter((call) => !tested.has(call))).toEqual([])
    expect([...tested].filter((call) => !supported.has(call))).toEqual([])
  })

  it('lists every call of the Auth client', () => {
    const { auth } = client
    const supported = sections.find(({ title }) => title === 'Auth and functions')?.supported
    const calls = methodsOf(auth)
    expect(calls).toContain('getUser')
    expect(calls.filter((call) => !isLocalToAuth.test(call) && !supported?.has(call))).toEqual([])
  })

  it('lists every call of the Storage client', () => {
    const { storage } = client
    const supported = sections.find(({ title }) => title === 'Storage')?.supported
    const calls = new Set([...methodsOf(storage), ...methodsOf(storage.from('bucket'))])
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(storage)))) {
      if (!/^(constructor|from)$/.test(name)) calls.add(name)
    }
    expect([...calls].filter((call) => !supported?.has(call))).toEqual([])
  })

  it('lists every call of the Realtime client', () => {
    const { realtime } = client
    const supported = sections.find(({ title }) => title === 'Realtime')?.supported
    const calls = [...methodsOf(realtime), ...methodsOf(realtime.channel('topic'))]
    expect(calls).toContain('subscribe')
    expect(calls.filter((call) => !isLocalToRealtime.test(call) && !supported?.has(call))).toEqual([])
  })

  it('lists every call of the Data API client', () => {
    const supported = sections.find(({ title }) => title === 'Data API')?.supported
    const table = client.from('table')
    const calls = [client.schema('public'), table, table.select()].flatMap(methodsOf)
    expect(calls).toContain('rpc')
    expect(calls).toContain('textSearch')
    expect(calls.filter((call) => !isLocalToDataApi.test(call) && !supported?.has(call))).toEqual([])
  })
})

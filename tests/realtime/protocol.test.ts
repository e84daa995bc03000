import { RealtimeClient } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import {
  broadcastBody,
  decode,
  encode,
  encodeBroadcast,
  encodeReply,
  ProtocolError,
  parseVersion,
} from '../../stack/realtime/protocol.ts'
import type { Frame, Version } from '../../stack/realtime/types.ts'
import { webSocketTransport } from '../support/supabase-client.ts'

/** Returns the encoder and decoder of the official client. The server's must be compatible with them. */
function createClientCodec(vsn: Version) {
  const { encode, decode } = new RealtimeClient('ws://127.0.0.1', {
    params: { apikey: 'key' },
    transport: webSocketTransport,
    vsn,
  })
  return {
    write(message: object): string | ArrayBuffer {
      let frame: string | ArrayBuffer = ''
      encode(message as Parameters<typeof encode>[0], (result) => {
        frame = result as string | ArrayBuffer
      })
      return frame
    },
    read(frame: Frame): unknown {
      let message: unknown
      decode(typeof frame === 'string' ? frame : frame.buffer, (result) => {
        message = result
      })
      return message
    },
  }
}

const names = { topic: 'realtime:räume:1', event: 'phx_join', ref: '7', join_ref: '3' }
const versions: Version[] = ['1.0.0', '2.0.0']

describe.each(versions)('protocol %s', (version) => {
  const { write, read } = createClientCodec(version)

  it('decodes a message from the client', () => {
    const payload = { config: { private: true }, text: 'ü "quoted"' }
    expect(decode(version, write({ ...names, payload }))).toEqual({
      joinRef: '3',
      ref: '7',
      topic: 'realtime:räume:1',
      event: 'phx_join',
      payload,
    })
  })

  it('decodes a broadcast from the client', () => {
    const payload = { type: 'broadcast', event: 'grüße', payload: { text: '👋' } }
    expect(decode(version, write({ ...names, event: 'broadcast', payload }))).toEqual({
      joinRef: '3',
      ref: '7',
      topic: 'realtime:räume:1',
      event: 'broadcast',
      payload,
    })
  })

  it('decodes a heartbeat, which belongs to no channel', () => {
    const frame = write({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' })
    expect(decode(version, frame)).toMatchObject({ joinRef: null, ref: '1', topic: 'phoenix' })
  })

  it('encodes messages and replies that the client can decode', () => {
    const to = { joinRef: '3', ref: '7', topic: names.topic }
    expect(read(encode(version, { ...to, event: 'phx_close', payload: {} }))).toMatchObject({
      ref: '7',
      topic: names.topic,
      event: 'phx_close',
      payload: {},
    })
    expect(read(encodeReply(version, to, 'error', { reason: 'no' }))).toMatchObject({
      ref: '7',
      event: 'phx_reply',
      payload: { status: 'error', response: { reason: 'no' } },
    })
  })

  it('encodes a broadcast so that the client decodes its payload unchanged', () => {
    const body = broadcastBody('a "b"', '{"n":1.50}', { id: 'x' })
    const frame = encodeBroadcast(version, names.topic, { kind: 'json', body })
    expect(read(frame ?? '')).toMatchObject({
      topic: names.topic,
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'a "b"', payload: { n: 1.5 }, meta: { id: 'x' } },
    })
  })

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"topic":1,"event":"e"}',
    '["1","1","t","e"]',
    '[{},null,"t","e",{}]',
    '"',
  ])('rejects %j', (frame) => expect(() => decode(version, frame)).toThrow(ProtocolError))
})

describe('binary frames', () => {
  const { write, read } = createClientCodec('2.0.0')
  const bytes = Uint8Array.of(0, 255, 10, 200)

  it('from the client are decoded to the same bytes', () => {
    const payload = { type: 'broadcast', event: 'grüße', payload: bytes.buffer }
    const message = decode('2.0.0', write({ ...names, event: 'broadcast', payload }))
    expect(message.binary).toEqual({ event: 'grüße', bytes })
    expect(message).toMatchObject({ joinRef: '3', ref: '7', topic: names.topic, event: 'broadcast' })
  })

  it('are encoded so that the client decodes their bytes, with and without metadata', () => {
    const plain = encodeBroadcast('2.0.0', names.topic, { kind: 'binary', event: 'grüße', bytes })
    expect(read(plain ?? '')).toMatchObject({
      topic: names.topic,
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'grüße', payload: bytes.buffer },
    })
    const meta = { id: '0198' }
    const withMeta = encodeBroadcast('2.0.0', names.topic, { kind: 'binary', event: 'e', bytes, meta })
    expect(read(withMeta ?? '')).toMatchObject({ payload: { event: 'e', meta } })
  })

  it('do not exist in protocol 1.0.0', () => {
    expect(encodeBroadcast('1.0.0', 't', { kind: 'binary', event: 'e', bytes })).toBeNull()
    expect(() => decode('1.0.0', bytes.buffer)).toThrow(ProtocolError)
  })

  it('with JSON are rejected when truncated at any byte, or when the JSON is invalid', () => {
    const payload = { type: 'broadcast', event: 'event', payload: { n: 1 } }
    const frame = write({ ...names, event: 'broadcast', payload })
    if (typeof frame === 'string') throw new Error('The broadcast is not a binary frame.')
    for (let length = 0; length < frame.byteLength; length += 1) {
      expect(() => decode('2.0.0', frame.slice(0, length)), `${length} bytes`).toThrow(ProtocolError)
    }
    const head = [3, 0, 0, 1, 1, 0, 1, 116, 101]
    expect(() => decode('2.0.0', Uint8Array.from([...head, 0xff, 0xfe]).buffer)).toThrow('not UTF-8')
    expect(() => decode('2.0.0', Uint8Array.from([...head, 123]).buffer)).toThrow('not JSON')
  })

  it('are not encoded if the event name is longer than 255 bytes', () => {
    const broadcast = { kind: 'binary' as const, event: 'e'.repeat(256), bytes }
    expect(encodeBroadcast('2.0.0', 't', broadcast)).toBeNull()
  })
})

describe('parseVersion', () => {
  it('accepts 1.0.0 and 2.0.0, and defaults to 1.0.0', () => {
    expect(['1.0.0', '2.0.0', null, '3.0.0', ''].map(parseVersion)).toEqual([
      '1.0.0',
      '2.0.0',
      '1.0.0',
      null,
      null,
    ])
  })
})

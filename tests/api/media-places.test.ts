import { expect, it } from 'vitest'
import { ApiError } from '../../supabase/functions/_shared/http/errors.ts'
import { openForm, readWhole } from '../../supabase/functions/_shared/media/form.ts'
import { createPlaces } from '../../supabase/functions/_shared/media/places.ts'

const border = 'border'
const head = `--${border}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`

/** A form that comes in as one says, and how it is read. */
async function sending(first: string) {
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sender = controller
    },
  })
  const send = (text: string) => sender?.enqueue(new TextEncoder().encode(text))
  send(head + first)
  const headers = { 'content-type': `multipart/form-data; boundary=${border}` }
  const request = new Request('http://localhost/', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
  const texts = { none: 'None', tooLarge: 'Too large' }
  const chunks = await openForm(request, { field: 'image', maxBytes: 1000, within: 5000, ...texts })
  const end = () => {
    send(`\r\n--${border}--\r\n`)
    sender?.close()
  }
  return { send, end, chunks }
}

const statusOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 200,
    (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
  )

it('what all who send pictures have in memory is bounded as it comes in, and given back', async () => {
  const takePlace = createPlaces({ one: 2, all: 2, bytes: 300 })
  const [ann, ben, cat] = [takePlace('ann'), takePlace('ben'), takePlace('cat')]
  const slow = await sending('a'.repeat(200))
  const reading = readWhole(slow.chunks, ann.hold)

  const other = await sending('b'.repeat(200))
  expect(await statusOf(readWhole(other.chunks, ben.hold))).toBe(503)
  ben.leave()

  const small = await sending('c'.repeat(60))
  small.end()
  expect((await readWhole(small.chunks, cat.hold)).length).toBe(60)
  cat.leave()

  slow.send('a'.repeat(100))
  slow.end()
  expect((await reading).length).toBe(300)
  expect(() => takePlace('ben').hold(1)).toThrow(ApiError)
  ann.leave()
  expect(() => takePlace('ben').hold(300)).not.toThrow()
})

it('one account has so many under way, and everybody together so many that arrived', () => {
  const takePlace = createPlaces({ one: 2, all: 2, bytes: 300 })
  const [first, second] = [takePlace('ann'), takePlace('ann')]
  expect(() => takePlace('ann')).toThrow(expect.objectContaining({ status: 429 }))
  first.arrive()
  second.arrive()
  const third = takePlace('ben')
  expect(() => third.arrive()).toThrow(expect.objectContaining({ status: 503 }))
  third.leave()
  first.leave()
  takePlace('ben').arrive()
  takePlace('ann')
})

import { expect, it } from 'vitest'
import { ApiError } from '../../supabase/functions/_shared/http/errors.ts'
import { openFileForm, readAllBytes } from '../../supabase/functions/_shared/media/multipart-form.ts'
import { createUploadSlots } from '../../supabase/functions/_shared/media/upload-slots.ts'

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
  const texts = { missingMessage: 'None', tooLargeMessage: 'Too large' }
  const chunks = await openFileForm(request, { field: 'image', maxBytes: 1000, timeoutMs: 5000, ...texts })
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
  const acquireSlot = createUploadSlots({ perAccount: 2, received: 2, bytes: 300 })
  const [ann, ben, cat] = [acquireSlot('ann'), acquireSlot('ben'), acquireSlot('cat')]
  const slow = await sending('a'.repeat(200))
  const reading = readAllBytes(slow.chunks, ann.reserveBytes)

  const other = await sending('b'.repeat(200))
  expect(await statusOf(readAllBytes(other.chunks, ben.reserveBytes))).toBe(503)
  ben.release()

  const small = await sending('c'.repeat(60))
  small.end()
  expect((await readAllBytes(small.chunks, cat.reserveBytes)).length).toBe(60)
  cat.release()

  slow.send('a'.repeat(100))
  slow.end()
  expect((await reading).length).toBe(300)
  expect(() => acquireSlot('ben').reserveBytes(1)).toThrow(ApiError)
  ann.release()
  expect(() => acquireSlot('ben').reserveBytes(300)).not.toThrow()
})

it('one account has so many under way, and everybody together so many that arrived', () => {
  const acquireSlot = createUploadSlots({ perAccount: 2, received: 2, bytes: 300 })
  const [first, second] = [acquireSlot('ann'), acquireSlot('ann')]
  expect(() => acquireSlot('ann')).toThrow(expect.objectContaining({ status: 429 }))
  first.markReceived()
  second.markReceived()
  const third = acquireSlot('ben')
  expect(() => third.markReceived()).toThrow(expect.objectContaining({ status: 503 }))
  third.release()
  first.release()
  acquireSlot('ben').markReceived()
  acquireSlot('ann')
})

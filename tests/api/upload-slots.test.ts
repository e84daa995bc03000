import { expect, it } from 'vitest'
import { ApiError } from '../../supabase/functions/_shared/http/errors.ts'
import { openFileForm, readAllBytes } from '../../supabase/functions/_shared/media/multipart-form.ts'
import { createUploadSlots } from '../../supabase/functions/_shared/media/upload-slots.ts'

const boundary = 'border'
const partHeader = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`

/**
 * Opens a form upload whose bytes arrive only when the test sends them. Returns the chunks of the file,
 * `send`, which sends text, and `end`, which completes the form.
 */
async function openForm(firstText: string) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController
    },
  })
  const send = (text: string) => controller?.enqueue(new TextEncoder().encode(text))
  send(partHeader + firstText)
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const request = new Request('http://localhost/', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
  const messages = { missingMessage: 'None', tooLargeMessage: 'Too large' }
  const chunks = await openFileForm(request, { field: 'image', maxBytes: 1000, timeoutMs: 5000, ...messages })
  const end = () => {
    send(`\r\n--${boundary}--\r\n`)
    controller?.close()
  }
  return { send, end, chunks }
}

const statusOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 200,
    (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
  )

it('upload slots limit the bytes in memory while files arrive, and release the bytes afterwards', async () => {
  const acquireSlot = createUploadSlots({ perAccount: 2, received: 2, bytes: 300 })
  const [annSlot, benSlot, catSlot] = [acquireSlot('ann'), acquireSlot('ben'), acquireSlot('cat')]
  const slow = await openForm('a'.repeat(200))
  const reading = readAllBytes(slow.chunks, annSlot.reserveBytes)

  const other = await openForm('b'.repeat(200))
  expect(await statusOf(readAllBytes(other.chunks, benSlot.reserveBytes))).toBe(503)
  benSlot.release()

  const small = await openForm('c'.repeat(60))
  small.end()
  expect((await readAllBytes(small.chunks, catSlot.reserveBytes)).length).toBe(60)
  catSlot.release()

  slow.send('a'.repeat(100))
  slow.end()
  expect((await reading).length).toBe(300)
  expect(() => acquireSlot('ben').reserveBytes(1)).toThrow(ApiError)
  annSlot.release()
  expect(() => acquireSlot('ben').reserveBytes(300)).not.toThrow()
})

it('upload slots limit the uploads per account, and the received uploads across all accounts', () => {
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

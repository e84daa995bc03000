import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { ImageUpload } from '@contract/media.ts'
import {
  ColorSpace,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
} from '@imagemagick/magick-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import {
  animatedGif,
  createJpegWithMetadata,
  createMp4,
  createOversizedGif,
  createPng,
  createPngChunk,
  fileForm,
  iccProfile,
  jpegWithColorProfile,
  withPngChunk,
  withPngSize,
} from '../support/media-files.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  const [users] = await Promise.all([
    createUsers('ann', 'ben'),
    readFile(wasm).then((bytes) => initializeImageMagick(new Uint8Array(bytes))),
  ])
  ;({ ann, ben } = users)
})

const expectUploadError = (status: number, body: FormData, user = ann) =>
  apiAs(user).expectError('POST', '/api/upload', status, { form: body })

async function bytesAt(url: string, user: TestUser): Promise<Buffer> {
  const response = await call('GET', url, { headers: authorizationHeader(user) })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const readImage = <T>(bytes: Buffer, read: (image: IMagickImage) => T): T =>
  ImageMagick.read(new Uint8Array(bytes), (image) => read(image))

const colorAt = (image: IMagickImage, x: number, y: number) =>
  image.getPixels((pixels) => [...pixels.getPixel(x, y)].slice(0, 3))

describe('POST /api/upload', () => {
  it('rotates the image upright and strips its metadata', async () => {
    const sent = createJpegWithMetadata()
    const { imageUrl, placeholder, width, height } = await uploadImage(ann, sent)
    expect([width, height]).toEqual([16, 32])
    expect(placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(placeholder.length).toBeLessThan(600)
    const storedFile = await bytesAt(imageUrl, ann)
    const markers = ['Exif', 'xmpmeta', 'Photoshop', 'Secret', 'A comment', 'polyglot', 'PK\x05\x06']
    for (const word of markers) {
      expect([word, sent.includes(word, 0, 'latin1'), storedFile.includes(word, 0, 'latin1')]).toEqual([
        word,
        true,
        false,
      ])
    }
    expect(storedFile.includes(iccProfile)).toBe(true)
    readImage(storedFile, (image) => {
      expect([image.format, image.width, image.height]).toEqual(['JPEG', 16, 32])
      const [red, blue] = [colorAt(image, 8, 4), colorAt(image, 8, 28)]
      expect(red[0]).toBeGreaterThan(200)
      expect(red[2]).toBeLessThan(60)
      expect(blue[2]).toBeGreaterThan(200)
    })
  })

  it('keeps the compressed pixels of an upright JPEG and strips its metadata', async () => {
    const sent = createJpegWithMetadata({ hasExif: false })
    const { imageUrl, placeholder, width, height } = await uploadImage(ann, sent)
    expect([width, height]).toEqual([32, 16])
    expect(placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(await bytesAt(imageUrl, ann)).toEqual(jpegWithColorProfile)
  })

  it('re-encodes a JPEG that is truncated or has CMYK colors', async () => {
    const cutOff = jpegWithColorProfile.subarray(0, -2)
    const forPrint = readImage(jpegWithColorProfile, (image) => {
      image.colorSpace = ColorSpace.CMYK
      return image.write(MagickFormat.Jpeg, (bytes) => Buffer.from(bytes))
    })
    for (const sent of [cutOff, forPrint]) {
      const { imageUrl } = await uploadImage(ann, sent)
      const stored = await bytesAt(imageUrl, ann)
      expect(stored.includes(sent.subarray(-100, -2))).toBe(false)
      expect(stored.subarray(-2).toString('hex')).toBe('ffd9')
      readImage(stored, (image) => {
        expect(image.colorSpace).toBe(ColorSpace.sRGB)
        expect(colorAt(image, 4, 8)[0]).toBeGreaterThan(200)
      })
    }
  })

  it('removes data hidden in the scans, tables and JFIF headers of a JPEG, and rejects an invalid color profile', async () => {
    const hidden = Buffer.from(`${'hidden text '.repeat(5)}end.`)
    const end = jpegWithColorProfile.subarray(-2)
    const scan = jpegWithColorProfile.subarray(jpegWithColorProfile.indexOf('ffda', 'hex'), -2)
    const segment = (marker: number, data: Buffer) =>
      Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data])
    const table = segment(0xdb, Buffer.concat([Buffer.of(3), hidden]))
    // Each of these segments hides five bytes in its pixel density fields, which decoders ignore.
    const jfif = Array.from({ length: 10 }, (_, i) =>
      segment(
        0xe0,
        Buffer.concat([Buffer.from('JFIF\0\x01\x01', 'latin1'), hidden.subarray(i, i + 5), Buffer.alloc(2)]),
      ),
    )
    const profile = segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), hidden]))
    const withoutProfile = readImage(jpegWithColorProfile, (image) => {
      image.strip()
      return image.write(MagickFormat.Jpeg, (bytes) => Buffer.from(bytes))
    })
    const insertAtStart = (jpeg: Buffer, ...parts: Buffer[]) =>
      Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])
    for (const sent of [
      Buffer.concat([jpegWithColorProfile.subarray(0, -2), hidden, end]),
      insertAtStart(jpegWithColorProfile, ...jfif),
      Buffer.concat([jpegWithColorProfile.subarray(0, -2), scan, hidden, end]),
      insertAtStart(jpegWithColorProfile, ...new Array<Buffer>(300).fill(table)),
    ]) {
      const { imageUrl } = await uploadImage(ann, sent)
      const stored = await bytesAt(imageUrl, ann)
      expect(stored.includes(hidden)).toBe(false)
      expect(stored.indexOf('JFIF')).toBe(stored.lastIndexOf('JFIF'))
      readImage(stored, (image) => expect(colorAt(image, 4, 8)[0]).toBeGreaterThan(200))
    }
    await expectUploadError(400, fileForm('image', insertAtStart(withoutProfile, profile)))
  })

  it('scales a large JPEG down while decoding it, and never enlarges it afterwards', async () => {
    const createJpeg = (size: string) => {
      const [width = 0, height = 0] = size.split('x').map(Number)
      const png = new Uint8Array(createPng({ width, height }))
      return ImageMagick.read(png, (image) => image.write(MagickFormat.Jpeg, (bytes) => Buffer.from(bytes)))
    }
    const sizes = {
      '2560x100': '2560x100',
      // These images are decoded at five, seven and six eighths of their size.
      '4000x300': '2500x188',
      '2600x100': '2275x88',
      '100x3000': '75x2250',
      // Decoding at one eighth would make the image too small, so it is decoded at two eighths and then scaled down.
      '10400x80': '2560x20',
    }
    for (const [sent, stored] of Object.entries(sizes)) {
      const { imageUrl, width, height } = await uploadImage(ann, createJpeg(sent))
      expect([sent, `${width}x${height}`]).toEqual([sent, stored])
      const decoded = readImage(await bytesAt(imageUrl, ann), (image) => `${image.width}x${image.height}`)
      expect([sent, decoded]).toEqual([sent, stored])
    }
  })

  it('detects the type from the bytes, regardless of the file name and content type', async () => {
    const pngWithComment = withPngChunk(
      createPng({ width: 3000, height: 30 }),
      createPngChunk('tEXt', Buffer.from('Author\0Somebody')),
    )
    const sent = Buffer.concat([pngWithComment, Buffer.from('<html><script>alert(1)</script>')])
    const uploaded = await call('POST', '/api/upload', {
      headers: authorizationHeader(ann),
      form: fileForm('image', sent, { name: 'page.html', type: 'text/html' }),
    })
    const { imageUrl, width, height } = ImageUpload.parse(await uploaded.json())
    // The longer side of a stored image is at most 2,560 pixels.
    expect([width, height]).toEqual([2560, 26])
    const response = await call('GET', imageUrl, { headers: authorizationHeader(ann) })
    const expected = {
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=300',
      vary: 'Cookie, Authorization',
    }
    expect(Object.fromEntries(response.headers)).toMatchObject(expected)
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    const storedFile = Buffer.from(await response.arrayBuffer())
    expect(storedFile.subarray(-8).toString('latin1', 0, 4)).toBe('IEND')
    expect(storedFile.includes('Somebody') || storedFile.includes('script')).toBe(false)
  })

  it('keeps the frames of an animated GIF and strips its metadata and trailing data', async () => {
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 9]), Buffer.from('<script>\0\0', 'latin1')])
    const xmpExtension = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('XMP DataXMP\x03abc\0', 'latin1'),
    ])
    const end = Buffer.from('PK\x03\x04')
    // The extensions are inserted after the screen descriptor and its table of two colors.
    const sent = Buffer.concat([
      animatedGif.subarray(0, 19),
      comment,
      xmpExtension,
      animatedGif.subarray(19),
      end,
    ])
    const { imageUrl, width, height } = await uploadImage(ann, sent)
    expect([width, height]).toEqual([6, 4])
    expect(await bytesAt(imageUrl, ann)).toEqual(animatedGif)
  })

  it('accepts GIFs of up to 2,000 frames', async () => {
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
    const screen = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
    const gifWith = (frames: number) =>
      Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
    const { imageUrl } = await uploadImage(ann, gifWith(2000))
    expect(await bytesAt(imageUrl, ann)).toEqual(gifWith(2000))
    await expectUploadError(413, fileForm('image', gifWith(2001)))
  })
})

describe('POST /api/upload with an invalid file', () => {
  it.each([
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['a video', createMp4()],
    ['WebP', Buffer.from('RIFF\x1a\0\0\0WEBPVP8 ', 'latin1')],
    ['an ImageMagick script (MVG)', Buffer.from('push graphic-context\nimage over 0,0 0,0 "/etc/passwd"')],
  ])('rejects %s with the file name and content type of an image', async (_what, bytes) => {
    expect(await expectUploadError(415, fileForm('image', bytes))).toEqual({
      message: 'Please select a JPG, PNG, or GIF image.',
      code: 'unsupported_media_type',
    })
  })

  it('rejects corrupt images and keeps working', async () => {
    const png = createPng({ width: 64, height: 64 })
    const jpeg = createJpegWithMetadata()
    const icc = Buffer.concat([Buffer.from('a\0\0'), deflateSync(iccProfile)])
    const scan = jpeg.indexOf('\xff\xda', 0, 'latin1')
    const end = jpeg.indexOf('\xff\xd9', scan, 'latin1')
    const scans = Array.from({ length: 70 }, () => jpeg.subarray(scan, end))
    const insertBeforeScan = (bytes: Buffer) =>
      Buffer.concat([jpeg.subarray(0, scan), bytes, jpeg.subarray(scan)])
    // A JPEG comment that contains a second image header. Below, it follows a marker that the decoder skips.
    const imageHeader = jpeg.subarray(jpeg.indexOf('\xff\xc0', 0, 'latin1')).subarray(0, 19)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + imageHeader.length]), imageHeader])
    const broken = [
      // The decoder would skip these bytes, but the code that reads the size must reject them.
      insertBeforeScan(Buffer.from([0])),
      ...[0x00, 0x01, 0xd0, 0xd7, 0xd8, 0x02, 0xf0].map((marker) =>
        insertBeforeScan(Buffer.from([0xff, marker])),
      ),
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xd0, 0, 6]), comment, jpeg.subarray(2)]),
      // Two image headers.
      insertBeforeScan(imageHeader),
      // Decoding each of the scans would require another pass over the whole image.
      Buffer.concat([jpeg.subarray(0, scan), ...scans, jpeg.subarray(end)]),
      png.subarray(0, 40),
      withPngChunk(png, png.subarray(8, 33)),
      withPngChunk(withPngChunk(png, createPngChunk('iCCP', icc)), createPngChunk('iCCP', icc)),
      Buffer.concat([png.subarray(0, 8), createPngChunk('teSt', Buffer.alloc(13)), png.subarray(8)]),
      Buffer.concat([png.subarray(0, 33), Buffer.alloc(500, 1)]),
      jpeg.subarray(0, 24),
      animatedGif.subarray(0, 60),
      // A frame without image data.
      Buffer.concat([
        animatedGif.subarray(0, 19),
        Buffer.from([0x2c, 0, 0, 0, 0, 6, 0, 4, 0, 0, 2, 0, 0x3b]),
      ]),
    ]
    for (const bytes of broken) {
      expect((await expectUploadError(400, fileForm('image', bytes))).message).toBe(
        'Failed to process the image. Please try a different image.',
      )
    }
    await uploadImage(ann, png)
  })

  it('rejects images with too many pixels before decoding them', async () => {
    const small = createPng({ width: 8, height: 8 })
    const bombs = [
      withPngSize(small, 30_000, 30_000),
      withPngSize(small, 4_000_000_000, 1),
      // Each of the two frames is small enough, but together they are too large.
      createOversizedGif(9000, 5000, 2),
    ]
    for (const bomb of bombs) {
      expect((await expectUploadError(413, fileForm('image', bomb))).message).toBe(
        'This image has too many pixels. Please choose a smaller one.',
      )
    }
  })

  it('rejects files over 10 MB and requests without a file', async () => {
    const tooLarge = fileForm('image', Buffer.alloc(10 * 1024 * 1024 + 1))
    expect(await expectUploadError(413, tooLarge)).toEqual({
      message: 'Image must be less than 10MB',
      code: 'payload_too_large',
    })
    expect((await expectUploadError(400, fileForm('other', animatedGif))).message).toBe(
      'Please choose an image.',
    )
    expect((await expectUploadError(400, fileForm('image', Buffer.alloc(0)))).message).toBe(
      'Please choose an image.',
    )
    await apiAs(ann).expectError('POST', '/api/upload', 415, { body: { image: 'x' } })
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const truncatedForm = '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nGIF89a'
    await apiAs(ann).expectError('POST', '/api/upload', 400, { body: truncatedForm, headers })
  })
})

describe('uploads', () => {
  it('are rejected for visitors and read-only accounts, and limited to 60 per hour', async () => {
    await apiAs(null).expectError('POST', '/api/upload', 401, { form: fileForm('image', animatedGif) })
    const carl = await createUser()
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${carl.id}`
    expect((await expectUploadError(403, fileForm('image', animatedGif), carl)).code).toBe(
      'account_read_only',
    )
    await sql`update public.accounts set read_only_reason = null where user_id = ${carl.id}`
    await exhaustRateLimit('uploads', carl.id, 60, '1 hour')
    for (const path of ['/api/upload', '/api/upload-video']) {
      await apiAs(carl).expectError('POST', path, 429, { form: fileForm('image', animatedGif) })
    }
    await apiAs(carl).expectError('POST', '/api/upload-video/sign', 429, {
      body: { type: 'video/mp4', size: 10 },
    })
    await sql`delete from auth.sessions where user_id = ${carl.id}`
    await expectUploadError(401, fileForm('image', Buffer.from('no picture')), carl)
  })

  it('are visible only to their owner until a post uses them', async () => {
    const { imageUrl } = await uploadImage(ann, animatedGif)
    const id = imageUrl.slice('/api/media/'.length)
    for (const stranger of [ben, null]) await apiAs(stranger).expectError('GET', imageUrl, 404)
    const [row] = await sql<{ path: string }[]>`select path from public.media where id = ${id}`
    const client = createTestClient(stack, ben.token)
    expect((await client.from('media').select('id').eq('id', id)).data).toEqual([])
    const files = client.storage.from('media')
    expect((await files.download(row?.path ?? '')).error).not.toBeNull()
    expect((await files.createSignedUrl(row?.path ?? '', 60)).error).not.toBeNull()
    expect((await files.list(ann.id)).data).toEqual([])
    expect(
      (await files.upload(`${ben.id}/own.gif`, animatedGif, { contentType: 'image/gif' })).error,
    ).not.toBeNull()
    expect((await fetch(`${stack.apiUrl}/storage/v1/object/public/media/${row?.path}`)).ok).toBe(false)

    await createPost(ann, { imageUrl })
    expect(await bytesAt(imageUrl, ben)).toEqual(animatedGif)
  })

  it('can be requested in byte ranges', async () => {
    const { imageUrl } = await uploadImage(ann, animatedGif)
    const get = async (headers: Record<string, string>) => {
      const response = await call('GET', imageUrl, { headers: { ...authorizationHeader(ann), ...headers } })
      const bytes = Buffer.from(await response.arrayBuffer())
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes,
        headers: response.headers,
      }
    }
    const whole = { status: 200, range: null, bytes: animatedGif }
    expect(await get({ Range: 'bytes=0-9' })).toMatchObject({
      status: 206,
      range: 'bytes 0-9/126',
      bytes: animatedGif.subarray(0, 10),
    })
    expect(await get({ Range: 'bytes=-6' })).toMatchObject({ status: 206, bytes: animatedGif.subarray(120) })
    const outOfRange = await get({ Range: 'bytes=126-' })
    expect(outOfRange).toMatchObject({ status: 416, range: 'bytes */126' })
    expect(outOfRange.headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(outOfRange.bytes.toString())).toEqual({
      message: 'The requested range is outside the file.',
      code: 'validation_failed',
    })
    expect(await get({ Range: 'bytes=0-1,4-5' })).toMatchObject(whole)
    const { headers } = await get({})
    const etag = headers.get('etag') ?? ''
    expect(await get({ Range: 'bytes=1-', 'If-Range': etag })).toMatchObject({ status: 206 })
    expect(await get({ Range: 'bytes=1-', 'If-Range': '"other"' })).toMatchObject(whole)
    expect(await get({ 'If-None-Match': etag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    const head = await fetch(`${stack.apiUrl}${imageUrl}`, {
      method: 'HEAD',
      headers: authorizationHeader(ann),
    })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '126'])
  })

  it('are deleted a day after upload if unused, and together with the post that used them', async () => {
    const uploads = await Promise.all([1, 2, 3, 4].map(() => uploadImage(ann, animatedGif)))
    const [unusedUrl, freshUrl, shownUrl, deletedUrl] = uploads.map(({ imageUrl }) => imageUrl)
    await createPost(ann, { imageUrl: shownUrl })
    const post = await createPost(ann, { imageUrl: deletedUrl })
    await apiAs(ann).expectNoContent('DELETE', `/api/posts/${post.id}`)
    const mediaIds = [unusedUrl, shownUrl].map((url) => url?.slice('/api/media/'.length) ?? '')
    await sql`update private.orphaned_media set due = now() where media_id = any(${mediaIds}::uuid[])`
    const paths = await sql<{ id: string; path: string }[]>`
      select id, path from public.media where owner_id = ${ann.id}`
    // Storage fails to delete these files. They fill a whole batch of the job.
    await sql`
      insert into private.file_deletion_queue (bucket, path, due_at)
      select ${`missing-${ann.id}`}, n::text, now() - interval '1 year' from generate_series(1, 200) n`
    const sweep = () => runJob('media')
    const responses = await Promise.all([sweep(), sweep()])
    for (const response of responses) expect([200, 503]).toContain(response.status)
    expect((await sweep()).status).toBe(200)
    for (const url of [unusedUrl, deletedUrl]) await apiAs(ann).expectError('GET', url ?? '', 404)
    for (const url of [freshUrl, shownUrl]) await bytesAt(url ?? '', ann)
    const deletedPaths = paths
      .filter(({ id }) => [unusedUrl, deletedUrl].includes(`/api/media/${id}`))
      .map(({ path }) => path)
    expect(deletedPaths).toHaveLength(2)
    const remainingFiles =
      await sql`select from storage.objects where bucket_id = 'media' and name = any(${deletedPaths})`
    const queued = await sql`select from private.file_deletion_queue where path = any(${deletedPaths})`
    expect([remainingFiles.length, queued.length]).toEqual([0, 0])
    const remaining = await sql<{ later: boolean }[]>`
      delete from private.file_deletion_queue where bucket = ${`missing-${ann.id}`} returning due_at > now() as later`
    expect([remaining.length, remaining.every(({ later }) => later)]).toEqual([200, true])
  })
})

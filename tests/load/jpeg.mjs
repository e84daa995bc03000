import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Returns a JPEG that is as noisy as a photo. At 1600 × 1200 pixels, the size to which the web app reduces large photos
 * in messages, the file is about 2 MB.
 *
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Buffer>}
 */
export async function createJpeg(width, height) {
  const { ImageMagick, initializeImageMagick, MagickFormat, MagickReadSettings } = await import(
    '@imagemagick/magick-wasm'
  )
  const main = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm')
  await initializeImageMagick(readFileSync(new URL('x86/magick.wasm', `file://${main}`)))
  const settings = new MagickReadSettings({ width, height })
  return ImageMagick.read('plasma:fractal', settings, (image) => {
    image.addNoise(3, 0.5)
    for (let quality = 98; ; quality -= 2) {
      image.quality = quality
      const jpeg = image.write(MagickFormat.Jpeg, (bytes) => Buffer.from(bytes))
      if (jpeg.length < 2_100_000 || quality <= 60) return jpeg
    }
  })
}

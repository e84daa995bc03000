import { Buffer } from 'node:buffer'
import {
  ColorSpace,
  FilterType,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickGeometry,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { longestSide, type Size } from './bounds.ts'
import { cleanGif, mostFrames } from './gif.ts'
import type { ImageType } from './kinds.ts'
import { cleanPng } from './png.ts'

/** A picture as it is stored: nothing in it but itself. */
export type Picture = Size & { bytes: Uint8Array<ArrayBuffer>; placeholder: string }
/** Why there is none. */
export type PictureRefusal = 'broken' | 'pixels'

/** Pixels of the longer side at most, of what is stored where nothing less is asked for, and of its miniature. */
const usualSide = 2560
const miniatureSide = 22
const jpegQuality = 87
/** Its tens are zlib's level, its ones the choice of filters. */
const pngQuality = 65
/** Bytes of a colour profile at most: a real one rarely has more, and it is the one thing that is taken over unread. */
const mostProfile = 1024 * 1024
/** What a PNG may not hold. Unlike `strip`, it leaves the colour profile. */
const unwantedChunks = 'bKGD,caNv,cHRM,date,eXIf,iTXt,orNT,sRGB,tEXt,tIME,vpAg,zCCP,zTXt'

const formats: Record<ImageType, MagickFormat> = {
  'image/jpeg': MagickFormat.Jpeg,
  'image/png': MagickFormat.Png,
  'image/gif': MagickFormat.Gif,
}

let ready: Promise<void> | undefined

/** Loads ImageMagick, once. */
export function loadPictures(): Promise<void> {
  ready ??= (async () => {
    const wasm = await Deno.readFile(new URL(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm')))
    await initializeImageMagick(wasm)
    ResourceLimits.memory = 1024n ** 3n
    ResourceLimits.area = 1024n ** 3n
    // All of this was looked at before; where the decoder reads a header in another way, it refuses by itself.
    ResourceLimits.width = BigInt(longestSide)
    ResourceLimits.height = BigInt(longestSide)
    // The first number of frames that is refused.
    ResourceLimits.listLength = BigInt(mostFrames + 1)
    ResourceLimits.maxProfileSize = BigInt(8 * mostProfile)
    // What does not fit into memory is refused rather than written to a disk.
    ResourceLimits.disk = 0n
  })()
  return ready
}

/**
 * Decodes a picture and writes it anew, upright and without anything but its pixels and its colour profile; a GIF keeps
 * its frames byte for byte. Takes as long as it takes, and much memory: for a worker.
 *
 * @param type what its first bytes say: no other decoder is tried
 * @param size what its header says, within bounds
 * @param longSide pixels that its longer side keeps at most; a GIF keeps its size
 */
export function remake(
  bytes: Uint8Array,
  type: ImageType,
  size: Size,
  longSide = usualSide,
): Picture | PictureRefusal {
  try {
    return type === 'image/gif' ? remakeGif(bytes, size) : remakeStill(bytes, type, size, longSide)
  } catch (error) {
    // What the decoder says of a broken file is nothing that anybody could act on; that it broke down itself is.
    if (error instanceof WebAssembly.RuntimeError) throw error
    return 'broken'
  }
}

function remakeStill(
  sent: Uint8Array,
  type: ImageType,
  size: Size,
  longSide: number,
): Picture | PictureRefusal {
  const bytes = type === 'image/png' ? cleanPng(sent) : sent
  if (!bytes) return 'broken'
  const settings = new MagickReadSettings({ format: formats[type] })
  // A JPEG that is far too large is decoded at a half, a quarter or an eighth, which is all that is needed of it. One
  // that is not would be made larger.
  if (Math.max(size.width, size.height) > longSide) {
    settings.setDefine(MagickFormat.Jpeg, 'size', `${longSide}x${longSide}`)
  }
  return ImageMagick.read(bytes, settings, (image) => {
    image.autoOrient()
    if (image.width > longSide || image.height > longSide) {
      // For making smaller as good as the default, in a quarter of its time.
      image.filterType = FilterType.Triangle
      image.resize(new MagickGeometry(longSide, longSide))
    }
    const { width, height } = image
    toScreenColours(image)
    bare(image)
    image.quality = type === 'image/jpeg' ? jpegQuality : pngQuality
    const made = image.write(formats[type], (written) => written.slice())
    return { bytes: made, width, height, placeholder: miniature(image) }
  })
}

function remakeGif(bytes: Uint8Array, size: Size): Picture | PictureRefusal {
  const clean = cleanGif(bytes, size)
  if (typeof clean === 'string') return clean
  const settings = new MagickReadSettings({ format: MagickFormat.Gif })
  return ImageMagick.readCollection(clean.bytes, settings, (frames): Picture | PictureRefusal => {
    const [first] = frames
    // A frame that could not be decoded ends the list.
    if (!first || frames.length !== clean.frames) return 'broken'
    return { bytes: clean.bytes, ...size, placeholder: miniature(first) }
  })
}

/** Pictures made for print have four inks, which many browsers show wrongly; their profile is of no use on a screen. */
function toScreenColours(image: IMagickImage): void {
  if (image.colorSpace !== ColorSpace.CMYK) return
  image.removeProfile('icc')
  image.colorSpace = ColorSpace.sRGB
}

/** Takes everything out of a picture but its pixels and its colour profile. */
function bare(image: IMagickImage): void {
  // A copy: what is handed out lies in memory that `strip` gives away.
  const profile = image.getColorProfile()?.data.slice()
  image.strip()
  if (profile && profile.length <= mostProfile) image.setProfile('icc', profile)
  image.setArtifact('png:exclude-chunk', unwantedChunks)
}

/** A blurred miniature of a few hundred bytes, as a `data:` address. Changes the picture. */
function miniature(image: IMagickImage): string {
  image.strip()
  image.resize(new MagickGeometry(miniatureSide, miniatureSide))
  image.blur(0, 0.8)
  image.quality = 40
  const base64 = image.write(MagickFormat.WebP, (written) => Buffer.from(written).toString('base64'))
  return `data:image/webp;base64,${base64}`
}

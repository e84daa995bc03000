import type { ImageType } from './file-types.ts'
import {
  type EncodingOptions,
  type ImageRejection,
  loadImageMagick,
  type ProcessedImage,
  reencodeImage,
} from './image-processing.ts'
import type { ImageSize } from './image-size.ts'

/** An image to process, with the arguments of `reencodeImage`. Bytes are transferred in both directions, not copied. */
export type ImageJob = {
  bytes: Uint8Array<ArrayBuffer>
  type: ImageType
  size: ImageSize
  options: EncodingOptions
}
export type ImageJobResult = ProcessedImage | ImageRejection

addEventListener('message', (event: MessageEvent<ImageJob>) => {
  void (async () => {
    const { bytes, type, size, options } = event.data
    await loadImageMagick()
    const result: ImageJobResult = reencodeImage(bytes, type, size, options)
    postMessage(result, { transfer: typeof result === 'string' ? [] : [result.bytes.buffer] })
  })()
})

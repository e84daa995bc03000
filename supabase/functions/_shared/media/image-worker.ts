import { type ImageJob, type ImageJobResult, loadImageMagick, reencodeImage } from './image-processing.ts'

// No other module imports this one, because its globals are those of a worker.

addEventListener('message', (event: MessageEvent<ImageJob>) => {
  void (async () => {
    const { bytes, type, size, options } = event.data
    await loadImageMagick()
    const result: ImageJobResult = reencodeImage(bytes, type, size, options)
    postMessage(result, { transfer: typeof result === 'string' ? [] : [result.bytes.buffer] })
  })()
})

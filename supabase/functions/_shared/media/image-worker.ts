import { type ImageJob, type ImageJobResult, loadImageMagick, sanitizeImage } from './image-processing.ts'

// No other module imports this one, because its globals are those of a worker.

let loading: Promise<void> | undefined

// The first message is the compiled decoder, and all others are jobs.
addEventListener('message', ({ data }: MessageEvent<WebAssembly.Module | ImageJob>) => {
  if (data instanceof WebAssembly.Module) loading = loadImageMagick(data)
  else void loading?.then(() => run(data))
})

function run({ bytes, type, size, options }: ImageJob): void {
  const result: ImageJobResult = sanitizeImage(bytes, type, size, options)
  postMessage(result, { transfer: typeof result === 'string' ? [] : [result.bytes.buffer] })
}

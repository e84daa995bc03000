import imageCompression from 'browser-image-compression'
import type { CompressionRequest } from './compress-image'

// The library would fetch itself from a foreign host for a worker of its own, which the page's policy forbids; here
// it is bundled. No module's exports: what stands here runs in the worker.
self.onmessage = async ({ data }: MessageEvent<CompressionRequest>) => {
  try {
    self.postMessage({ file: await imageCompression(data.file, data.options) })
  } catch (error) {
    self.postMessage({ failure: String(error) })
  }
}

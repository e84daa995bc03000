import imageCompression from 'browser-image-compression'
import type { CompressionRequest } from './compress-image'

// Runs in a worker of our own, with the library in the bundle: the library's worker would load its code from another
// host, which the content security policy forbids.
self.onmessage = async ({ data }: MessageEvent<CompressionRequest>) => {
  try {
    self.postMessage({ file: await imageCompression(data.file, data.options) })
  } catch (error) {
    self.postMessage({ failure: String(error) })
  }
}

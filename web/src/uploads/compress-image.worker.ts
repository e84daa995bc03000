import imageCompression from 'browser-image-compression'
import type { CompressionRequest } from './compress-image'

// Runs in a worker of the app, with the library in the bundle. The library's own worker would load its code from
// another host, which the Content Security Policy forbids.
self.onmessage = async ({ data }: MessageEvent<CompressionRequest>) => {
  try {
    self.postMessage({ file: await imageCompression(data.file, data.options) })
  } catch (error) {
    self.postMessage({ failure: String(error) })
  }
}

#!/usr/bin/env node
// How much JavaScript a visitor's landing page loads, brotli-compressed: the entry, the landing screen and what
// both import, taken from the build's manifest. Needs a build in dist/; prints kilobytes (1000 bytes).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const screens = ['index.html', 'src/features/landing/LandingPage.tsx']

/** @returns {{ files: { file: string, bytes: number }[], bytes: number }} */
export function landingScripts() {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
  const files = new Set(['theme.js'])
  const visit = (/** @type {string} */ key) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build's manifest has no ${key}.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  screens.forEach(visit)
  const sized = [...files].map((file) => ({
    file,
    bytes: brotliCompressSync(readFileSync(new URL(file, dist)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    }).length,
  }))
  return {
    files: sized.sort((a, b) => b.bytes - a.bytes),
    bytes: sized.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, bytes } = landingScripts()
  for (const { file, bytes: size } of files)
    console.log(`${(size / 1000).toFixed(1).padStart(7)} kB  ${file}`)
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  in all`)
}

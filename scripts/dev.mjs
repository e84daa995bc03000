import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { spawnStack, stopWithNpm, waitForExit } from './lib/stack.mjs'

// `npm run dev`: starts the stack on PORT, and Vite with hot reload. Vite proxies API calls to the stack (see
// vite.config.ts). DEV_ORIGIN makes the stack accept Vite's origin.
stopWithNpm()
readEnvFile()
const port = process.env.PORT || '3000'
try {
  await ensurePackages()
  await ensureBinaries()
  process.env.OVATION_PLATFORM = `http://127.0.0.1:${port}`
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: `${root}/vite.config.ts`,
    server: { host: '127.0.0.1', port: Number(process.env.VITE_PORT || '5173') },
    clearScreen: false,
  })
  await vite.listen()
  const viteUrl = vite.resolvedUrls?.local[0]
  if (!viteUrl) throw new Error('Vite did not report its URL')
  const { origin } = new URL(viteUrl)
  const stack = spawnStack({ DEV_ORIGIN: origin })
  console.log(`Web app with hot reload at ${origin} (the stack behind it is still starting).`)
  const code = await waitForExit(stack)
  await vite.close()
  process.exit(code)
} catch (error) {
  fail(`Could not start the development server: ${errorMessage(error)}`)
}

import './lib/node-version.mjs'
import { readEnvFile } from './lib/env-file.mjs'
import { fail, messageOf } from './lib/fail.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { ended, spawnStack } from './lib/stack.mjs'

// `npm run dev`: the stack at PORT, and before it Vite with hot reload, whose address people open. Vite passes
// calls on to the stack (vite.config.ts), which is told to accept that address (DEV_ORIGIN).
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
  const address = vite.resolvedUrls?.local[0]
  if (!address) throw new Error('Vite did not say where it listens')
  const origin = new URL(address).origin
  const stack = spawnStack({ DEV_ORIGIN: origin })
  console.log(`Web app with hot reload at ${origin} (the stack behind it needs a moment).`)
  const code = await ended(stack)
  await vite.close()
  process.exit(code)
} catch (error) {
  fail(`Development could not be started: ${messageOf(error)}`)
}

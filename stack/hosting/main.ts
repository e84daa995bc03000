import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHostFiles, type HostedSite } from './host-files.ts'

// Writes the configuration for static hosts, for scripts/deploy.mjs. The first argument is the folder of the built app,
// the second the folder for the operator's files. The site is passed as JSON in HOSTED_SITE, because it contains a
// secret, and every user of the machine can read command lines.
const [appFolder = '', operatorFolder = ''] = Deno.args
const { app, operator } = createHostFiles(JSON.parse(Deno.env.get('HOSTED_SITE') ?? '') as HostedSite)
await rm(join(appFolder, '_redirects'), { force: true })
for (const [name, text] of Object.entries(app)) await writeFile(join(appFolder, name), text)
await rm(join(operatorFolder, 'netlify.toml'), { force: true })
await mkdir(operatorFolder, { recursive: true })
for (const [name, text] of Object.entries(operator)) {
  const path = join(operatorFolder, name)
  await writeFile(path, text, { mode: 0o600 })
  // An existing file keeps its mode when it is overwritten.
  await chmod(path, 0o600)
}

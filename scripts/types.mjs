import './lib/node-version.mjs'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { supabase } from '../stack/database/supabase-cli.mjs'
import { fail } from './lib/fail.mjs'
import { root } from './lib/paths.mjs'

// `node scripts/types.mjs <database url>`: writes the TypeScript types of a running database's schema. The
// address is `databaseUrl` in DATA_DIR/connection.json.
const target = join(root, 'supabase', 'functions', '_shared', 'db', 'database.types.ts')
const [url] = process.argv.slice(2)
if (!url || !URL.canParse(url)) fail('Name the database: node scripts/types.mjs postgres://…')
const { code, stdout, stderr } = await supabase(['gen', 'types', '--lang', 'typescript'], url)
if (code !== 0 || stdout.trim() === '') fail(`The types could not be made: ${stderr.trim()}`)
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, stdout)
console.log(`Wrote ${target}`)

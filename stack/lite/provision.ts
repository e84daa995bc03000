import { App, setExperimental } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import { unusedFiles } from './files.ts'

/** Makes the schemas `auth` and `storage` of lite in the database of PROVISION_DATABASE_URL, as its superuser. */
const url = Deno.env.get('PROVISION_DATABASE_URL')
if (!url) {
  console.error('error: PROVISION_DATABASE_URL is not set.')
  Deno.exit(1)
}
setExperimental('storage', true)
const connection = createPostgresConnection({ url, postgresOptions: { max: 1, onnotice: () => undefined } })
const app = new App({
  connection,
  auth: { enabled: true },
  storage: { enabled: true },
  // `supabase db push` keeps the history of migrations; lite's own table of that name has other columns.
  db: { migrations: { enabled: false } },
})
// lite makes storage's tables only if it has somewhere to store.
app._storageAdapter = unusedFiles()
await app.ensureSystemSchema()
await connection.close()
Deno.exit(0)

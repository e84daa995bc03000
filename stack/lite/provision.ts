import { App, setExperimental } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'

// Creates lite's schemas `auth` and `storage` in a database. PROVISION_DATABASE_URL is the superuser's URL.
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
  // `supabase db push` records the migrations. lite would create the same table with different columns.
  db: { migrations: { enabled: false } },
})
// lite creates the tables of Storage only if it has a storage adapter. This one is never used, because Storage is
// served by stack/storage.
const refuse = () => Promise.reject(new Error('this storage adapter is a placeholder and must not be called'))
app._storageAdapter = {
  driver: null,
  getObject: refuse,
  uploadObject: refuse,
  deleteObject: refuse,
  deleteObjects: refuse,
  copyObject: refuse,
  headObject: refuse,
  privateAssetUrl: refuse,
}
await app.ensureSystemSchema()
await connection.close()
Deno.exit(0)

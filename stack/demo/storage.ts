import { Buffer } from 'node:buffer'
import { withSuperuser } from '../database/client.ts'
import { openFiles } from '../lite/files.ts'
import type { DemoContext } from './seed.ts'

/**
 * Lends a way to store the demo's files while Storage itself does not run yet: it writes what Storage would write,
 * the file and its row. A file of the same name is replaced.
 *
 * @param databaseUrl the superuser's address
 * @param folder where Storage keeps its files (`DATA_DIR/storage`)
 */
export async function withDemoStorage<Result>(
  databaseUrl: string,
  folder: string,
  work: (storage: NonNullable<DemoContext['storage']>) => Promise<Result>,
): Promise<Result> {
  const files = await openFiles(folder)
  return await withSuperuser(databaseUrl, (sql) =>
    work(async (bucket, path, bytes, contentType) => {
      // Pictures lie under names that never change their content.
      const forever = 'public, max-age=31536000, immutable'
      const stored = await files.uploadObject(
        bucket,
        path,
        undefined,
        Buffer.from(bytes),
        contentType,
        forever,
      )
      const metadata = JSON.stringify({ httpStatusCode: 200, ...stored })
      await sql`
        insert into storage.objects (bucket_id, name, metadata, user_metadata, version)
        values (${bucket}, ${path}, ${metadata}::text::jsonb, '{}'::jsonb, gen_random_uuid()::text)
        on conflict (bucket_id, name) do update
          set metadata = excluded.metadata, version = excluded.version, updated_at = now()`
    }),
  )
}

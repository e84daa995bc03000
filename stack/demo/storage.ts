import { Buffer } from 'node:buffer'
import { withSuperuser } from '../database/client.ts'
import { openFileStorage } from '../lite/file-storage.ts'
import type { StoreFile } from './pictures.ts'

/**
 * Runs `work` with a function that stores files before Storage is started: it writes the file and the row that Storage
 * would write. Unlike uploads, the files are not processed.
 *
 * @param databaseUrl the superuser's database URL
 * @param folder where Storage keeps its files (`DATA_DIR/storage`)
 */
export async function withDemoStorage<Result>(
  databaseUrl: string,
  folder: string,
  work: (storage: StoreFile) => Promise<Result>,
): Promise<Result> {
  const files = await openFileStorage(folder)
  return await withSuperuser(databaseUrl, (sql) =>
    work(async (bucket, path, bytes, contentType) => {
      // The content at a path never changes.
      const cacheControl = 'public, max-age=31536000, immutable'
      const stored = await files.uploadObject(
        bucket,
        path,
        undefined,
        Buffer.from(bytes),
        contentType,
        cacheControl,
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

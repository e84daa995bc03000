import { withSuperuser } from '../database/client.ts'
import { FileStorage, objectMetadata } from '../storage/file-storage.ts'
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
  const files = await FileStorage.open(folder)
  return await withSuperuser(databaseUrl, (sql) =>
    work(async (bucket, path, bytes, contentType) => {
      // The content at a path never changes.
      const cacheControl = 'public, max-age=31536000, immutable'
      const staged = await files.stage(ReadableStream.from([bytes]))
      const header = await files.seal(staged, { contentType, cacheControl })
      await files.place(staged.path, bucket, path)
      const metadata = JSON.stringify(objectMetadata(header))
      await sql`
        insert into storage.objects (bucket_id, name, metadata, user_metadata, version)
        values (${bucket}, ${path}, ${metadata}::text::jsonb, '{}'::jsonb, gen_random_uuid()::text)
        on conflict (bucket_id, name) do update
          set metadata = excluded.metadata, version = excluded.version, updated_at = now()`
    }),
  )
}

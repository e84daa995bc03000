import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TransactionSql } from 'postgres'
import { demoUsers } from './content/users.ts'
import { idOf, userIdOf } from './ids.ts'

/** Stores a file in a bucket, replacing one with the same path. */
export type StoreFile = (
  bucket: string,
  path: string,
  bytes: Uint8Array,
  contentType: string,
) => Promise<void>

/** The URL paths of profile images, by username. */
export type ProfileImages = Map<string, { avatar: string; cover?: string }>

/** A post, message or gallery item that gets a picture. */
interface PictureSubject {
  id: string
  owner: string
  at: Date
}

/** A picture with its row in `media`. */
export interface DemoPicture {
  id: string
  owner: string
  path: string
  bytes: number
  width: number
  height: number
  /** A tiny blurred image as a `data:` URL. */
  placeholder: string
  alt: string
  at: Date
}

/** A line of catalog.jsonl, which describes the files in pictures/media. A file name starts with a theme. */
type CatalogEntry = Pick<DemoPicture, 'width' | 'height' | 'placeholder' | 'alt'> & { file: string }

const folder = join(dirname(fileURLToPath(import.meta.url)), 'pictures')

/** Stores the avatars and covers. Only creators and the users who can sign in have a cover. */
export async function storeProfileImages(storeFile: StoreFile): Promise<ProfileImages> {
  const store = async (kind: 'avatar' | 'cover', username: string): Promise<string> => {
    const path = `${userIdOf(username)}/${idOf(kind, username)}.webp`
    await storeFile(
      'avatars',
      path,
      await readFile(join(folder, `${kind}s`, `${username}.webp`)),
      'image/webp',
    )
    return `/storage/v1/object/public/avatars/${path}`
  }
  const images = demoUsers
    .filter(({ noPicture }) => !noPicture)
    .map(async ({ username, theme, email }) => {
      const avatar = store('avatar', username)
      const cover = theme || email ? { cover: await store('cover', username) } : {}
      return [username, { avatar: await avatar, ...cover }] as const
    })
  return new Map(await Promise.all(images))
}

/** Stores the next picture of the owner's theme for each subject. Returns the pictures by the id of the subject. */
export async function storePictures(
  subjects: PictureSubject[],
  storeFile: StoreFile,
): Promise<Map<string, DemoPicture>> {
  const unused = new Map<string, CatalogEntry[]>()
  for (const line of (await readFile(join(folder, 'catalog.jsonl'), 'utf8')).trim().split('\n')) {
    const entry: CatalogEntry = JSON.parse(line)
    const theme = entry.file.split('-')[0] ?? ''
    unused.set(theme, [...(unused.get(theme) ?? []), entry])
  }
  const themes = new Map(demoUsers.map(({ username, theme }) => [username, theme]))
  const storing = subjects.flatMap(({ id: subject, owner: username, at }) => {
    const entries = unused.get(themes.get(username) ?? '')
    const entry = entries?.shift()
    if (!entries || !entry) return []
    // A picture is reused only after all other pictures of the theme have been used.
    entries.push(entry)
    const { file, ...description } = entry
    const [owner, id] = [userIdOf(username), idOf('media', subject)]
    const path = `${owner}/${id}.webp`
    return [
      (async () => {
        const content = await readFile(join(folder, 'media', file))
        await storeFile('media', path, content, 'image/webp')
        return [subject, { id, owner, path, bytes: content.length, ...description, at }] as const
      })(),
    ]
  })
  return new Map(await Promise.all(storing))
}

export async function insertMedia(tx: TransactionSql, pictures: Iterable<DemoPicture>): Promise<void> {
  await tx`
    insert into public.media
      (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder, created_at)
    select r.id, r.owner, 'image', 'ready', r.path, 'image/webp', r.bytes, r.width, r.height, r.placeholder, r.at
    from jsonb_to_recordset(${JSON.stringify([...pictures])}::text::jsonb) as r (id uuid, owner uuid, path text,
      bytes bigint, width integer, height integer, placeholder text, at timestamptz)`
}

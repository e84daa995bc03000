import type { PicturePaths } from '../insert-people.ts'
import { uidOf } from '../insert-people.ts'
import { idOf } from '../numbers.ts'
import type { Person } from '../people.ts'
import { paintAvatar } from './avatars.ts'
import { paintCover } from './covers.ts'

/** Stores a file of a bucket under a path. */
export type Store = (bucket: string, path: string, bytes: Uint8Array, contentType: string) => Promise<void>

/** Paints and stores everybody's pictures; answers their paths on the site. Covers are for those one looks at. */
export async function storePictures(people: Person[], store: Store): Promise<PicturePaths> {
  const paths: PicturePaths = new Map()
  // One is painted while others are written.
  const storing: Promise<void>[] = []
  const put = (person: Person, kind: string, bytes: Uint8Array): string => {
    const path = `${uidOf(person.username)}/${idOf(kind, person.username)}.png`
    const stored = store('avatars', path, bytes, 'image/png')
    // A failure is met below, once everything is painted; until then it must not count as unheard.
    stored.catch(() => undefined)
    storing.push(stored)
    return `/storage/v1/object/public/avatars/${path}`
  }
  for (const person of people) {
    if (person.noPicture) continue
    const avatar = put(person, 'avatar', await paintAvatar(person))
    const cover = person.theme || person.email ? put(person, 'cover', await paintCover(person)) : undefined
    paths.set(person.username, cover ? { avatar, cover } : { avatar })
  }
  await Promise.all(storing)
  return paths
}

import { Buffer } from 'node:buffer'
import type { DemoConversation } from '../conversations.ts'
import type { DemoItem } from '../gallery.ts'
import { uidOf } from '../insert-people.ts'
import { createRandom, idOf, seedOf } from '../numbers.ts'
import type { Person, Theme } from '../people.ts'
import type { DemoPost } from '../posts.ts'
import { Canvas } from './canvas.ts'
import { moreScenes } from './more-scenes.ts'
import type { Palette } from './palettes.ts'
import * as colours from './palettes.ts'
import { firstScenes, type PostScene } from './scenes.ts'
import type { Store } from './store.ts'

/** The picture of a post, a message or an item of a gallery: a row of `media`, and the words about it. */
export interface DemoPicture {
  id: string
  path: string
  bytes: number
  width: number
  height: number
  placeholder: string
  alt: string
}

/** As wide and high as a feed needs, in the shapes that people post. */
const formats: [number, number][] = [
  [512, 512],
  [480, 600],
  [600, 400],
  [640, 360],
]

/** Their own colours first, and those that suit the theme too: a profile should not look like one picture. */
const palettes: Record<Theme, Palette[]> = {
  ceramics: [colours.clay, colours.wheat, colours.sea, colours.dawn],
  trail: [colours.dawn, colours.steel, colours.ember, colours.moss],
  jazz: [colours.plum, colours.night, colours.ember],
  food: [colours.ember, colours.moss, colours.plum],
  film: [colours.steel, colours.plum, colours.dawn, colours.clay],
  wood: [colours.wheat, colours.clay],
  sky: [colours.night, colours.plum],
  sewing: [colours.plum, colours.sea, colours.moss, colours.ember],
  garden: [colours.moss, colours.dawn, colours.wheat],
  ink: [colours.ink],
  bread: [colours.wheat, colours.clay, colours.dawn],
  bikes: [colours.sea, colours.dawn, colours.clay],
}

const scenes = { ...firstScenes, ...moreScenes }

/** Paints and stores the pictures of the posts that have one; answers them by post. */
export async function storePostPictures(
  people: Person[],
  posts: DemoPost[],
  store: Store,
): Promise<Map<string, DemoPicture>> {
  return await storeAll(
    people,
    posts.filter(({ pictured }) => pictured).map(({ id, author }) => ({ id, owner: author })),
    store,
  )
}

/** The same for messages. */
export async function storeMessagePictures(
  people: Person[],
  conversations: DemoConversation[],
  store: Store,
): Promise<Map<string, DemoPicture>> {
  const pictured = conversations.flatMap(({ messages }) => messages.filter((message) => message.pictured))
  return await storeAll(
    people,
    pictured.map(({ id, sender }) => ({ id, owner: sender })),
    store,
  )
}

/** The same for galleries. */
export async function storeGalleryPictures(
  people: Person[],
  items: DemoItem[],
  store: Store,
): Promise<Map<string, DemoPicture>> {
  return await storeAll(people, items, store)
}

/** One picture for each subject whose owner has a theme, by subject. */
async function storeAll(
  people: Person[],
  subjects: { id: string; owner: string }[],
  store: Store,
): Promise<Map<string, DemoPicture>> {
  const themes = new Map(people.map(({ username, theme }) => [username, theme]))
  const pictures = new Map<string, DemoPicture>()
  const storing: Promise<void>[] = []
  for (const { id, owner } of subjects) {
    const theme = themes.get(owner)
    const scene = theme && scenes[theme]
    if (!scene) continue
    const { picture, bytes } = await paint(id, owner, palettes[theme], scene)
    const stored = store('media', picture.path, bytes, 'image/png')
    // A failure is met below, once everything is painted; until then it must not count as unheard.
    stored.catch(() => undefined)
    storing.push(stored)
    pictures.set(id, picture)
  }
  await Promise.all(storing)
  return pictures
}

async function paint(
  subject: string,
  owner: string,
  ofTheme: Palette[],
  scene: PostScene,
): Promise<{ picture: DemoPicture; bytes: Uint8Array }> {
  const random = createRandom(seedOf(`picture ${subject}`))
  const [width, height] = formats[Math.floor(random.next() * formats.length)] ?? [512, 512]
  const palette = ofTheme[Math.floor(random.next() * ofTheme.length)] ?? colours.sea
  const canvas = new Canvas(width, height).sky(...palette.sky)
  const alt = scene({ canvas, palette, random, width, height, unit: Math.min(width, height) / 100 })
  if (random.chance(0.5)) canvas.mirror()
  const [bytes, small] = await Promise.all([canvas.encode(), canvas.miniature(12).encode()])
  const id = idOf('media', subject)
  const path = `${uidOf(owner)}/${id}.png`
  const placeholder = `data:image/png;base64,${Buffer.from(small).toString('base64')}`
  return { picture: { id, path, bytes: bytes.length, width, height, placeholder, alt }, bytes }
}

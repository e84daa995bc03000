import { Buffer } from 'node:buffer'
import { uidOf } from '../insert-people.ts'
import { createRandom, idOf, seedOf } from '../numbers.ts'
import type { Person, Theme } from '../people.ts'
import type { DemoPost } from '../posts.ts'
import { Canvas } from './canvas.ts'
import { moreScenes } from './more-scenes.ts'
import type { Palette } from './palettes.ts'
import * as colours from './palettes.ts'
import { firstScenes } from './scenes.ts'
import type { Store } from './store.ts'

/** The picture of a post: a row of `media`, and the words about it. */
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
  const themes = new Map(people.map(({ username, theme }) => [username, theme]))
  const pictures = new Map<string, DemoPicture>()
  const storing: Promise<void>[] = []
  for (const post of posts) {
    const theme = themes.get(post.author)
    const scene = theme && scenes[theme]
    if (!post.pictured || !scene) continue
    const random = createRandom(seedOf(`picture ${post.id}`))
    const [width, height] = formats[Math.floor(random.next() * formats.length)] ?? [512, 512]
    const palette = palettes[theme][Math.floor(random.next() * palettes[theme].length)] ?? colours.sea
    const canvas = new Canvas(width, height).sky(...palette.sky)
    const alt = scene({ canvas, palette, random, width, height, unit: Math.min(width, height) / 100 })
    if (random.chance(0.5)) canvas.mirror()
    const [bytes, small] = await Promise.all([canvas.encode(), canvas.miniature(12).encode()])
    const id = idOf('media', post.id)
    const path = `${uidOf(post.author)}/${id}.png`
    const stored = store('media', path, bytes, 'image/png')
    // A failure is met below, once everything is painted; until then it must not count as unheard.
    stored.catch(() => undefined)
    storing.push(stored)
    pictures.set(post.id, {
      id,
      path,
      bytes: bytes.length,
      width,
      height,
      placeholder: `data:image/png;base64,${Buffer.from(small).toString('base64')}`,
      alt,
    })
  }
  await Promise.all(storing)
  return pictures
}

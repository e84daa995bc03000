import { createRandom, type Random, seedOf } from '../numbers.ts'
import type { Person, Theme } from '../people.ts'
import { Canvas } from './canvas.ts'
import type { Palette } from './palettes.ts'
import * as colours from './palettes.ts'

type Scene = (canvas: Canvas, palette: Palette, random: Random) => void

const width = 1200
const height = 400

export const themePalettes: Record<Theme, Palette> = {
  ceramics: colours.clay,
  trail: colours.dawn,
  jazz: colours.plum,
  food: colours.ember,
  film: colours.steel,
  wood: colours.wheat,
  sky: colours.night,
  sewing: colours.plum,
  garden: colours.moss,
  ink: colours.ink,
  bread: colours.wheat,
  bikes: colours.sea,
}

/** Draws the wide picture above a profile: a creator's after their theme, anybody else's hills by the sea. */
export function paintCover(person: Person): Promise<Uint8Array> {
  const random = createRandom(seedOf(`cover ${person.username}`))
  const palette = person.theme ? themePalettes[person.theme] : colours.sea
  const canvas = new Canvas(width, height).sky(...palette.sky)
  const scene = person.theme ? scenes[person.theme] : range
  scene(canvas, palette, random)
  return canvas.encode()
}

/** Mountains one behind the other, the sun between them. */
const range: Scene = (canvas, { far, middle, near, light }, random) => {
  canvas.disc(860, 150, 62, light)
  for (const [index, colour] of [far, middle, near].entries()) {
    const phase = random.between(0, 9)
    canvas.below(
      (x) => 205 + index * 62 + Math.sin(x / 170 + phase) * 46 + Math.abs(((x / 92 + phase) % 2) - 1) * 34,
      colour,
    )
  }
}

/** A shelf of pots, no two alike. */
const shelf: Scene = (canvas, { far, middle, near, light, spark }, random) => {
  const floor = 318
  canvas.disc(930, 130, 210, light, 0.5).below(() => floor, near)
  const glazes = [middle, light, spark, far]
  for (let index = 0; index < 9; index++) {
    const [tall, wide, belly] = [random.between(90, 205), random.between(36, 58), random.between(1.1, 2.6)]
    const x = 90 + index * 128
    const profile = (t: number): number =>
      wide * (0.5 + 0.5 * Math.sin(Math.PI * Math.min(1, t * 0.82 + 0.1)) ** belly)
    const glaze = glazes[index % 4] ?? far
    canvas.vessel(x, floor - tall, tall, profile, near)
    canvas.vessel(x, floor - tall, tall * random.between(0.55, 0.86), (t) => profile(t * 0.7), glaze)
  }
}

/** A keyboard under a lamp. */
const keyboard: Scene = (canvas, { near, light, spark, middle }) => {
  canvas.disc(320, 10, 250, spark, 0.18).disc(320, 10, 165, spark, 0.22).disc(320, 10, 84, light, 0.6)
  canvas.below(() => 214, near)
  for (let key = 0; key < 30; key++) canvas.box(2 + key * 40, 226, 37, 190, 5, light)
  for (let key = 1; key < 30; key++) {
    if (![2, 6].includes(key % 7)) canvas.box(key * 40 - 11, 222, 23, 104, 4, key % 9 === 4 ? middle : near)
  }
}

/** Lanterns over a street. */
const lanterns: Scene = (canvas, { far, near, light, spark }, random) => {
  for (let house = 0; house < 14; house++) {
    const top = random.between(170, 290)
    canvas.box(house * 88 - 10, top, 92, 260, 2, house % 2 ? far : near)
    for (let y = top + 22; y < 380; y += 46)
      if (random.chance(0.55)) canvas.box(house * 88 + 22, y, 22, 26, 3, light, 0.85)
  }
  for (const [row, sag] of [
    [38, 64],
    [84, 46],
  ] as const) {
    const rope = (x: number): number => row + Math.sin((x / width) * Math.PI) * sag
    for (let x = 0; x < width; x += 12) canvas.line(x, rope(x), x + 12, rope(x + 12), 2, near)
    for (let x = 45 + row; x < width; x += 118) {
      canvas.petal(x, rope(x) + 26, 25, 21, 0, x % 2 ? spark : light).box(x - 8, rope(x) + 2, 16, 7, 2, near)
    }
  }
}

/** A strip of film with a small landscape in every frame. */
const strip: Scene = (canvas, { far, middle, near, light, spark }, random) => {
  canvas.box(0, 62, width, 276, 0, near)
  for (let x = 14; x < width; x += 44) canvas.box(x, 76, 24, 26, 5, light).box(x, 298, 24, 26, 5, light)
  for (let frame = 0; frame < 4; frame++) {
    const x = 18 + frame * 296
    const [sun, line] = [random.between(70, 210), random.between(210, 245)]
    canvas.box(x, 116, 276, 168, 6, frame % 2 ? light : far).disc(x + sun, 176, 32, spark)
    canvas.box(x, line, 276, 284 - line, 4, middle).petal(x + 276 - sun, line, 60, 22, 0, middle)
  }
}

/** A plank with two knots: rings that widen along the grain. */
const plank: Scene = (canvas, { sky, far, middle, near }) => {
  for (const [x, y, count] of [
    [380, 290, 24],
    [960, 96, 7],
  ] as const) {
    for (let ring = count; ring > 0; ring--) {
      canvas.petal(x, y, ring * 46, ring * 17, 0.1, ring % 5 === 0 ? middle : ring % 2 ? far : sky[1])
    }
    canvas.petal(x, y, 20, 8, 0.1, near)
  }
}

/** A planet with rings over dark hills. */
const planet: Scene = (canvas, { middle, near, light, spark }, random) => {
  for (let star = 0; star < 240; star++) {
    canvas.disc(
      random.between(0, width),
      random.between(0, 330),
      random.between(0.6, 2.1),
      light,
      random.between(0.4, 1),
    )
  }
  canvas.petal(850, 150, 168, 26, -0.3, spark, 0.75).petal(850, 150, 138, 17, -0.3, middle)
  canvas.disc(850, 146, 76, spark).disc(832, 128, 56, light, 0.3).petal(846, 164, 124, 9, -0.3, light, 0.8)
  canvas.below((x) => 322 + Math.sin(x / 140) * 22 + Math.sin(x / 47) * 6, middle)
  canvas
    .below((x) => 352 + Math.sin(x / 210 + 2) * 20, near)
    .box(262, 316, 8, 40, 2, near)
    .line(250, 318, 290, 292, 13, near)
}

/** Bands of cloth with stitches along their edges. */
const cloth: Scene = (canvas, { far, middle, near, light, spark }) => {
  for (const [index, colour] of [far, spark, middle, light, near].entries()) {
    const edge = (x: number): number => 46 + index * 74 + Math.sin(x / 150 + index * 1.7) * 28
    canvas.below(edge, colour)
    const thread = colour === light ? near : light
    for (let x = 6; x < width; x += 30) canvas.line(x, edge(x) + 14, x + 15, edge(x + 15) + 14, 4, thread)
  }
}

/** Rows of a vegetable plot under a low sun. */
const rows: Scene = (canvas, { far, middle, near, light, spark }) => {
  canvas.disc(250, 128, 56, light).below((x) => 170 + Math.sin(x / 190) * 18, far)
  for (let row = 0; row < 4; row++) {
    const base = 232 + row * 48
    canvas.below(() => base, row % 2 ? near : middle)
    for (let x = 20 + (row % 2) * 26; x < width; x += 54 + row * 8) {
      const tall = 22 + row * 6
      canvas
        .petal(x - 8, base - tall * 0.5, tall * 0.7, 7, 1.15, near)
        .petal(x + 8, base - tall * 0.5, tall * 0.7, 7, -1.15, middle)
      if ((x + row) % 5 === 0) canvas.disc(x, base - tall, 9 + row, spark)
    }
  }
}

/** Far hills in thinner and thinner ink, a red sun, some rain. */
const brush: Scene = (canvas, { far, middle, near, spark }, random) => {
  canvas.disc(905, 138, 58, spark)
  for (const [index, alpha] of [0.35, 0.5, 0.75, 1].entries()) {
    const phase = random.between(0, 8)
    canvas.below(
      (x) => 196 + index * 52 + Math.sin(x / 120 + phase) * 36 + Math.sin(x / 41 + phase) * 9,
      index < 1 ? far : index < 3 ? middle : near,
      alpha,
    )
  }
  for (let drop = 0; drop < 46; drop++) {
    const [x, y] = [random.between(0, 720), random.between(0, 210)]
    canvas.line(x, y, x - 9, y + 36, 2, middle, 0.55)
  }
}

/** Ears of wheat before the evening. */
const ears: Scene = (canvas, { far, middle, near, light }, random) => {
  canvas.disc(600, 190, 92, light).below((x) => 300 + Math.sin(x / 160) * 14, far)
  for (let ear = 0; ear < 8; ear++) {
    const [x, top] = [75 + ear * 150 + random.between(-24, 24), random.between(60, 170)]
    const colour = ear % 3 === 0 ? near : middle
    canvas.line(x, 400, x + 10, top, 6, colour)
    for (let grain = 0; grain < 6; grain++) {
      const y = top + grain * 26
      canvas.petal(x - 5, y, 21, 8, 1, colour).petal(x + 23, y, 21, 8, Math.PI - 1, colour)
    }
  }
}

/** Wheels leaning against each other in front of the sea. */
const wheels: Scene = (canvas, { middle, near, light, spark }) => {
  canvas
    .disc(980, 110, 48, light)
    .below((x) => 262 + Math.sin(x / 80) * 5, middle)
    .below(() => 348, near)
  for (const [x, radius] of [
    [190, 118],
    [402, 118],
    [640, 84],
    [800, 84],
  ] as const) {
    const y = 352 - radius
    for (let spoke = 0; spoke < 12; spoke++) {
      const angle = (spoke / 12) * Math.PI * 2
      canvas.line(x, y, x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, 3, light, 0.8)
    }
    canvas.ring(x, y, radius, 10, near).disc(x, y, 11, spark)
  }
  canvas
    .line(190, 234, 292, 110, 9, spark)
    .line(292, 110, 402, 234, 9, spark)
    .line(258, 100, 330, 100, 10, near)
  canvas
    .line(640, 268, 706, 176, 8, light)
    .line(706, 176, 800, 268, 8, light)
    .line(684, 168, 734, 168, 9, near)
}

const scenes: Record<Theme, Scene> = {
  ceramics: shelf,
  trail: range,
  jazz: keyboard,
  food: lanterns,
  film: strip,
  wood: plank,
  sky: planet,
  sewing: cloth,
  garden: rows,
  ink: brush,
  bread: ears,
  bikes: wheels,
}

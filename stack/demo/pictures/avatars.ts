import { createRandom, type Random, seedOf } from '../numbers.ts'
import type { Person, Theme } from '../people.ts'
import { Canvas } from './canvas.ts'
import { themePalettes } from './covers.ts'
import { type Palette, palettes } from './palettes.ts'

type Motif = (canvas: Canvas, palette: Palette, random: Random) => void

const size = 256
const centre = size / 2

/** Draws the abstract picture of a person: a creator's after their theme, anybody else's after their name. */
export function paintAvatar(person: Person): Promise<Uint8Array> {
  const random = createRandom(seedOf(person.username))
  const pick = <Item>(list: Item[], fallback: Item): Item =>
    list[Math.floor(random.next() * list.length)] ?? fallback
  const palette = person.theme ? themePalettes[person.theme] : pick(palettes, themePalettes.trail)
  const motif = person.theme ? themed[person.theme] : pick(free, hills)
  const canvas = new Canvas(size, size).sky(...palette.sky)
  motif(canvas, palette, random)
  return canvas.encode()
}

const hills: Motif = (canvas, { far, middle, near, light }, random) => {
  canvas.disc(random.between(80, 176), random.between(70, 105), random.between(26, 40), light)
  for (const [index, colour] of [far, middle, near].entries()) {
    const [base, height, phase] = [132 + index * 40, 26 - index * 4, random.between(0, 6)]
    canvas.below((x) => base + Math.sin(x / 38 + phase) * height + Math.sin(x / 15 + phase) * 5, colour)
  }
}

const waves: Motif = (canvas, { far, middle, near, light, spark }, random) => {
  canvas.disc(centre, 88, 40, spark)
  for (const [index, colour] of [light, far, middle, near].entries()) {
    const phase = random.between(0, 6)
    canvas.below((x) => 112 + index * 36 + Math.sin(x / 22 + phase) * 11, colour)
  }
}

const quarters: Motif = (canvas, { far, middle, near, light, spark }, random) => {
  const colours = [far, middle, near, light, spark]
  const half = size / 2
  for (let cell = 0; cell < 4; cell++) {
    const [x, y] = [(cell % 2) * half, Math.floor(cell / 2) * half]
    canvas.box(x, y, half, half, 0, colours[cell] ?? far)
    const colour = colours[(cell + 1 + Math.floor(random.next() * 4)) % 5] ?? light
    if (random.chance(0.4)) canvas.disc(x + half / 2, y + half / 2, half * 0.34, colour)
    else quarter(canvas, x, y, half, random.chance(0.5), random.chance(0.5), colour)
  }
}

/** A quarter of a disc in a cell, from the corner that `right` and `low` name. */
function quarter(
  canvas: Canvas,
  x: number,
  y: number,
  half: number,
  right: boolean,
  low: boolean,
  colour: string,
) {
  for (let row = 0; row < half; row++) {
    const reach = Math.sqrt(half * half - (low ? half - row : row) ** 2)
    canvas.box(right ? x + half - reach : x, y + row, reach, 1, 0, colour)
  }
}

const arcs: Motif = (canvas, { far, middle, near, light, spark }) => {
  for (const [index, colour] of [near, spark, light, far, middle].entries()) {
    canvas.disc(centre, size * 0.86, 176 - index * 34, colour)
  }
}

const petals: Motif = (canvas, { near, light, spark, middle }, random) => {
  const count = 6 + Math.floor(random.next() * 4)
  for (let index = 0; index < count; index++) {
    const angle = (index / count) * Math.PI * 2
    const [x, y] = [centre + Math.cos(angle) * 56, centre + Math.sin(angle) * 56]
    canvas.petal(x, y, 52, 20, angle, index % 2 ? light : spark, 0.92)
  }
  canvas.disc(centre, centre, 26, near).disc(centre, centre, 12, middle)
}

const orbit: Motif = (canvas, { near, light, spark }, random) => {
  for (let index = 0; index < 26; index++) {
    canvas.disc(random.between(0, size), random.between(0, size), random.between(0.7, 2), light, 0.8)
  }
  canvas
    .ring(centre, centre, 92, 2, light, 0.5)
    .disc(centre, centre, 52, spark)
    .disc(centre - 12, centre - 14, 36, light, 0.28)
  canvas
    .petal(centre, centre, 96, 16, -0.35, light, 0.35)
    .disc(centre + 65, centre - 65, 11, light)
    .disc(centre, centre + 92, 6, near)
}

const bowl: Motif = (canvas, { far, middle, near, light, spark }) => {
  canvas.disc(centre, 116, 88, light, 0.55).below(() => 196, middle)
  canvas.vessel(centre, 112, 86, (t) => 82 * Math.sqrt(1 - (t * 0.93) ** 2), near)
  canvas
    .vessel(centre, 112, 20, () => 82, spark)
    .petal(centre, 113, 82, 11, 0, far)
    .box(100, 192, 56, 14, 4, near)
}

const steam: Motif = (canvas, palette, random) => {
  bowl(canvas, palette, random)
  for (const x of [96, 128, 160]) {
    for (let y = 30; y < 96; y += 2) {
      const at = x + Math.sin(y / 9 + x) * 7
      canvas.line(at, y, x + Math.sin((y + 2) / 9 + x) * 7, y + 2, 7, palette.light, 0.9)
    }
  }
}

const keys: Motif = (canvas, { near, light, spark, middle }) => {
  canvas.disc(184, 66, 34, spark)
  for (let index = 0; index < 7; index++) canvas.box(8 + index * 35, 112, 32, 170, 5, light)
  for (const index of [1, 2, 4, 5, 6])
    canvas.box(-4 + index * 35, 104, 22, 92, 4, index === 4 ? middle : near)
}

const aperture: Motif = (canvas, { near, middle, light, spark, far }) => {
  canvas.disc(centre, centre, 104, near)
  for (let blade = 0; blade < 6; blade++) {
    const angle = (blade / 6) * Math.PI * 2
    const [x, y] = [centre + Math.cos(angle) * 68, centre + Math.sin(angle) * 68]
    canvas.petal(x, y, 58, 26, angle + 1.1, blade % 2 ? middle : far, 0.9)
  }
  canvas.disc(centre, centre, 34, light).disc(centre, centre, 24, spark).ring(centre, centre, 106, 8, light)
}

const grain: Motif = (canvas, { far, middle, near, light }, random) => {
  for (let index = 0; index < 9; index++) {
    const radius = 118 - index * 13
    canvas.petal(
      centre + index * 1.5,
      centre + index,
      radius,
      radius * random.between(0.88, 0.97),
      0.5,
      [far, light, middle][index % 3] ?? far,
    )
  }
  canvas.disc(centre + 13, centre + 9, 6, near)
}

const stitches: Motif = (canvas, { near, light, spark, middle }) => {
  for (const [index, colour] of [middle, spark, near].entries()) {
    canvas.below((x) => 66 + index * 62 + Math.sin(x / 30 + index * 2) * 16, colour)
    for (let x = 4; x < size; x += 22) {
      const edge = (at: number): number => 82 + index * 62 + Math.sin(at / 30 + index * 2) * 16
      canvas.line(x, edge(x), x + 11, edge(x + 11), 4, light)
    }
  }
}

const leaf: Motif = (canvas, { near, middle, light, spark }) => {
  canvas
    .disc(188, 62, 28, spark)
    .below(() => 206, near)
    .line(centre, 214, centre, 70, 7, near)
  for (const [index, y] of [180, 146, 112, 82].entries()) {
    const long = 46 - index * 6
    canvas
      .petal(centre - long * 0.8, y - 12, long, 15, 0.55, middle)
      .petal(centre + long * 0.8, y - 12, long, 15, -0.55, index % 2 ? light : near)
  }
}

const loaf: Motif = (canvas, { near, middle, light, far }) => {
  canvas
    .below(() => 190, middle)
    .petal(centre, 142, 100, 62, 0, near)
    .petal(centre, 138, 96, 57, 0, far)
  for (const x of [84, 128, 172]) canvas.petal(x, 128, 34, 8, -1.05, light)
}

const wheel: Motif = (canvas, { near, light, spark, middle }) => {
  for (let spoke = 0; spoke < 14; spoke++) {
    const angle = (spoke / 14) * Math.PI * 2
    canvas.line(centre, centre, centre + Math.cos(angle) * 88, centre + Math.sin(angle) * 88, 3, middle)
  }
  canvas
    .ring(centre, centre, 96, 16, near)
    .ring(centre, centre, 84, 4, light)
    .disc(centre, centre, 20, near)
    .disc(centre, centre, 9, spark)
}

const free: Motif[] = [hills, waves, quarters, arcs, petals, orbit, quarters, arcs]

const themed: Record<Theme, Motif> = {
  ceramics: bowl,
  trail: hills,
  jazz: keys,
  food: steam,
  film: aperture,
  wood: grain,
  sky: orbit,
  sewing: stitches,
  garden: leaf,
  ink: waves,
  bread: loaf,
  bikes: wheel,
}

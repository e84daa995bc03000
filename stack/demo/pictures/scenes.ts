import type { Random } from '../numbers.ts'
import type { Theme } from '../people.ts'
import type { Canvas, Colour } from './canvas.ts'
import type { Palette } from './palettes.ts'

/** What a painter gets: lengths are shares of `unit`, a hundredth of the shorter side. */
interface Sheet {
  canvas: Canvas
  palette: Palette
  random: Random
  width: number
  height: number
  unit: number
}

/** Paints a picture for a post and says in words what is to be seen on it. */
export type PostScene = (sheet: Sheet) => string

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const said = (count: number): string => numbers[count] ?? String(count)
const pick = (random: Random, least: number, most: number): number =>
  Math.floor(random.between(least, most + 1))

const pots: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  const count = pick(random, 1, 4)
  const floor = height * 0.8
  canvas.disc(width * random.between(0.3, 0.7), height * 0.4, 38 * unit, light, 0.55).below(() => floor, near)
  const glazes: Colour[] = [middle, spark, far, light]
  for (let pot = 0; pot < count; pot++) {
    const x = (width * (pot + 1)) / (count + 1)
    const tall = random.between(24, 52) * unit
    const wide = Math.min(18 * unit, width / (count + 1) / 1.9) * random.between(0.8, 1)
    const belly = random.between(0.8, 2.4)
    const half = (t: number): number =>
      wide * (0.5 + 0.5 * Math.sin(Math.PI * Math.min(1, t * 0.82 + 0.1)) ** belly)
    const dipped = random.between(0.45, 0.8)
    canvas
      .petal(x, floor + 1.5 * unit, wide, 2 * unit, 0, palette.sky[2], 0.35)
      .vessel(x, floor - tall, tall, half, pot % 2 ? far : middle)
      .vessel(x, floor - tall, tall * dipped, (t) => half(t * dipped), glazes[(pot + 1) % 4] ?? light)
      .petal(x, floor - tall + unit, half(0), 1.4 * unit, 0, near)
  }
  return `Illustration: ${said(count)} glazed ${count === 1 ? 'pot' : 'pots of different heights'} on a dark shelf, a pale disc of light behind.`
}

const ridges: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  const sun = width * random.between(0.2, 0.8)
  canvas.disc(sun, height * 0.3, random.between(8, 14) * unit, light)
  for (const [layer, colour] of [far, middle, near].entries()) {
    const phase = random.between(0, 9)
    const edge = (x: number): number =>
      height * (0.48 + layer * 0.16) +
      Math.sin(x / (22 * unit) + phase) * 6 * unit +
      Math.abs(((x / (15 * unit) + phase) % 2) - 1) * 7 * unit
    canvas.below(edge, colour)
  }
  // The way up, as a map would draw it.
  const bends = pick(random, 4, 7)
  for (let bend = 0; bend < bends; bend++) {
    const at = (step: number): [number, number] => [
      width * (0.5 + (step % 2 ? 0.2 : -0.2) * (1 - step / (bends + 2))),
      height * (0.97 - (step / bends) * 0.3),
    ]
    const [[x1, y1], [x2, y2]] = [at(bend), at(bend + 1)]
    canvas.line(x1, y1, x2, y2, 1.3 * unit, spark)
  }
  return `Illustration: three mountain ridges one behind the other, a path with ${said(bends)} bends and a round sun.`
}

const poster: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { middle, near, light, spark } = palette
  const x = width * random.between(0.35, 0.65)
  for (let ring = 4; ring > 0; ring--) canvas.disc(x, height * 0.36, ring * 11 * unit, spark, 0.22)
  canvas.disc(x, height * 0.36, 9 * unit, light).disc(x, height * 0.36, 2 * unit, near)
  const keys = pick(random, 9, 14)
  const each = width / keys
  const top = height * 0.68
  canvas.box(0, top - 2 * unit, width, height, 0, near)
  for (let key = 0; key < keys; key++) {
    canvas.box(key * each + unit * 0.4, top, each - unit * 0.8, height, unit, key === 4 ? spark : light)
  }
  for (let key = 1; key < keys; key++) {
    if (![2, 6].includes(key % 7)) canvas.box(key * each - each * 0.3, top, each * 0.6, 18 * unit, unit, near)
  }
  for (let beam = 0; beam < 5; beam++) {
    canvas.line(x, 0, width * (beam / 4), top, unit, middle, 0.4)
  }
  return 'Illustration in the manner of a jazz poster: a record glowing like a lamp over a row of piano keys, one of them coloured.'
}

const bowls: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  const [x, y] = [width / 2, height * 0.58]
  canvas.below(() => height * 0.5, far).petal(x, y + 18 * unit, 44 * unit, 7 * unit, 0, near, 0.5)
  canvas.vessel(x, y, 26 * unit, (t) => 40 * unit * Math.sqrt(1 - t * 0.86), near)
  canvas.petal(x, y, 40 * unit, 12 * unit, 0, light).petal(x, y, 36 * unit, 9.6 * unit, 0, middle)
  const leaves = pick(random, 4, 7)
  for (let leaf = 0; leaf < leaves; leaf++) {
    canvas.petal(
      x + random.between(-24, 24) * unit,
      y + random.between(-4, 4) * unit,
      6 * unit,
      2 * unit,
      random.between(0, 3),
      leaf % 2 ? spark : far,
    )
  }
  for (let steam = -1; steam < 2; steam++) {
    for (let step = 0; step < 16; step++) {
      const rise = (t: number): [number, number] => [
        x + steam * 14 * unit + Math.sin(t / 2.4 + steam) * 3 * unit,
        y - (10 + t * 2) * unit,
      ]
      const [[x1, y1], [x2, y2]] = [rise(step), rise(step + 1)]
      canvas.line(x1, y1, x2, y2, 1.4 * unit, light, 0.6 - step * 0.035)
    }
  }
  canvas.line(x + 20 * unit, y - 2 * unit, x + 46 * unit, y - 26 * unit, 1.6 * unit, near)
  canvas.line(x + 25 * unit, y - unit, x + 50 * unit, y - 22 * unit, 1.6 * unit, near)
  return `Illustration: a steaming bowl of soup with ${said(leaves)} leaves on it and a pair of chopsticks across the rim.`
}

const negative: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  canvas.box(0, 0, width, height, 0, near)
  for (let x = 3 * unit; x < width; x += 9 * unit) {
    canvas
      .box(x, 4 * unit, 5 * unit, 6 * unit, unit, light)
      .box(x, height - 10 * unit, 5 * unit, 6 * unit, unit, light)
  }
  const [left, top, right, foot] = [5 * unit, 15 * unit, width - 5 * unit, height - 15 * unit]
  const line = top + (foot - top) * random.between(0.55, 0.7)
  const sun = random.between(left + 15 * unit, right - 15 * unit)
  canvas.box(left, top, right - left, foot - top, 2 * unit, far).disc(sun, line - 12 * unit, 9 * unit, spark)
  canvas.box(left, line, right - left, foot - line, unit, middle)
  for (let wave = 1; wave < 6; wave++) {
    const wide = random.between(6, 22) * unit
    canvas.line(
      sun - wide,
      line + wave * 3 * unit,
      sun + wide,
      line + wave * 3 * unit,
      0.8 * unit,
      light,
      0.6,
    )
  }
  return 'Illustration: one frame of a film strip with its sprocket holes, in it a sun setting over calm water.'
}

const grain: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { sky, far, middle, near } = palette
  const [x, y] = [width * random.between(0.3, 0.7), height * random.between(0.35, 0.65)]
  const rings = Math.ceil((Math.hypot(width, height) / unit) * 0.14)
  for (let ring = rings; ring > 0; ring--) {
    canvas.petal(
      x,
      y,
      ring * 9 * unit,
      ring * 4.6 * unit,
      0.12,
      ring % 4 === 0 ? middle : ring % 2 ? far : sky[1],
    )
  }
  canvas.petal(x, y, 5 * unit, 2.5 * unit, 0.12, near)
  const joint = height * random.between(0.7, 0.8)
  canvas.box(0, joint, width, 1.2 * unit, 0, near)
  const tails = pick(random, 3, 5)
  for (let tail = 0; tail < tails; tail++) {
    const at = ((tail + 0.5) * width) / tails
    canvas.vessel(at, joint, 13 * unit, (t) => (4 + t * 4) * unit, near)
    canvas.vessel(at, joint, 12 * unit, (t) => (3.4 + t * 3.8) * unit, middle)
  }
  return `Illustration: a board with a knot and its rings, joined at its edge by ${said(tails)} dovetails.`
}

export const firstScenes: Partial<Record<Theme, PostScene>> = {
  ceramics: pots,
  trail: ridges,
  jazz: poster,
  food: bowls,
  film: negative,
  wood: grain,
}

import type { Theme } from '../people.ts'
import type { PostScene } from './scenes.ts'

const heaven: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { middle, near, light, spark } = palette
  for (let star = 0; star < 110; star++) {
    const size = random.between(0.15, 0.5) * unit
    canvas.disc(
      random.between(0, width),
      random.between(0, height * 0.8),
      size,
      light,
      random.between(0.4, 1),
    )
  }
  // A figure of seven stars with lines between them.
  let [x, y] = [width * 0.16, height * random.between(0.25, 0.4)]
  for (let star = 0; star < 7; star++) {
    const [nextX, nextY] = [x + width * 0.11, height * random.between(0.14, 0.5)]
    if (star < 6) canvas.line(x, y, nextX, nextY, 0.35 * unit, light, 0.5)
    canvas.disc(x, y, 2.2 * unit, spark, 0.35).disc(x, y, 1.1 * unit, light)
    x = nextX
    y = nextY
  }
  canvas.below((at) => height * 0.84 + Math.sin(at / (17 * unit)) * 3 * unit, middle)
  canvas.below((at) => height * 0.91 + Math.sin(at / (25 * unit) + 2) * 2.5 * unit, near)
  const foot = width * random.between(0.3, 0.7)
  canvas.box(foot, height * 0.79, 1.4 * unit, 12 * unit, 0, near)
  canvas.line(foot - 4 * unit, height * 0.81, foot + 9 * unit, height * 0.73, 3.4 * unit, near)
  return 'Illustration: a constellation of seven stars joined by thin lines, over dark hills with a small telescope.'
}

const quilt: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  const colours = [far, spark, middle, light, near]
  const across = Math.floor(random.between(3, 6))
  const side = width / across
  for (let row = 0; row * side < height; row++) {
    for (let column = 0; column < across; column++) {
      const [x, y] = [column * side, row * side]
      const turn = Math.floor(random.between(0, 5))
      canvas.box(x, y, side, side, 0, colours[turn] ?? far)
      canvas.petal(
        x + side / 2,
        y + side / 2,
        side * 0.42,
        side * 0.18,
        0.78,
        colours[(turn + 2) % 5] ?? light,
      )
      canvas.petal(
        x + side / 2,
        y + side / 2,
        side * 0.42,
        side * 0.18,
        -0.78,
        colours[(turn + 3) % 5] ?? light,
      )
      for (let stitch = 0.06; stitch < 1; stitch += 0.16) {
        canvas.line(x + stitch * side, y + unit, x + (stitch + 0.08) * side, y + unit, 0.6 * unit, light)
      }
    }
  }
  return `Illustration: a patchwork of printed cloth, ${across} patches wide, each with a crossed leaf and a seam of light stitches.`
}

const bed: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  canvas
    .disc(width * 0.75, height * 0.2, 10 * unit, light)
    .below((x) => height * 0.55 + Math.sin(x / (20 * unit)) * 3 * unit, far)
  canvas.below(() => height * 0.82, near)
  const flowers = Math.floor(random.between(3, 6))
  for (let flower = 0; flower < flowers; flower++) {
    const [x, y] = [(width * (flower + 0.5)) / flowers, height * random.between(0.32, 0.55)]
    canvas.line(x, y, x + 2 * unit, height * 0.86, 1.2 * unit, near)
    canvas.petal(x + 5 * unit, height * 0.7, 6 * unit, 2 * unit, -0.6, middle)
    const size = Math.min(9 * unit, width / flowers / 2.6)
    for (let petal = 0; petal < 10; petal++) {
      const angle = (petal / 10) * Math.PI * 2
      canvas.petal(
        x + Math.cos(angle) * size * 0.6,
        y + Math.sin(angle) * size * 0.6,
        size * 0.6,
        size * 0.26,
        angle,
        petal % 2 ? spark : light,
      )
    }
    canvas.disc(x, y, size * 0.3, near)
  }
  return `Illustration: ${flowers} dahlias in a row on a plot of dark earth, the sun behind them.`
}

const washes: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, spark } = palette
  canvas.disc(width * random.between(0.25, 0.75), height * 0.28, 9 * unit, spark)
  for (const [layer, alpha] of [0.35, 0.55, 0.8].entries()) {
    const phase = random.between(0, 8)
    canvas.below(
      (x) => height * (0.45 + layer * 0.13) + Math.sin(x / (18 * unit) + phase) * 6 * unit,
      layer ? middle : far,
      alpha,
    )
  }
  const stem = width * random.between(0.15, 0.3)
  for (let joint = 0; joint < 6; joint++) {
    const y = height - joint * 17 * unit
    canvas.line(stem + joint * unit, y, stem + (joint + 1) * unit, y - 15.5 * unit, 2.2 * unit, near)
    canvas.petal(stem + (joint + 8) * unit, y - 16 * unit, 9 * unit, 1.5 * unit, joint % 2 ? 0.5 : -0.4, near)
  }
  return 'Ink drawing: a stalk of bamboo in front of hills in thinner and thinner ink, and a red sun.'
}

const loaf: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { far, middle, near, light, spark } = palette
  const [x, y] = [width / 2, height * 0.55]
  canvas.below(() => height * 0.62, far).petal(x, y + 20 * unit, 44 * unit, 6 * unit, 0, near, 0.4)
  canvas.petal(x, y, 42 * unit, 25 * unit, 0, near).petal(x, y - unit, 40 * unit, 23 * unit, 0, middle)
  const cuts = Math.floor(random.between(3, 6))
  for (let cut = 0; cut < cuts; cut++) {
    const at = x + ((cut + 0.5) / cuts - 0.5) * 58 * unit
    canvas
      .petal(at, y - 4 * unit, 12 * unit, 2.8 * unit, 1.1, light)
      .petal(at + unit, y - 3.4 * unit, 10 * unit, 1.2 * unit, 1.1, spark, 0.7)
  }
  for (let speck = 0; speck < 60; speck++) {
    canvas.disc(
      random.between(0, width),
      random.between(height * 0.66, height),
      random.between(0.2, 0.5) * unit,
      light,
      0.8,
    )
  }
  return `Illustration: a round loaf with ${cuts} slashes in its crust on a table dusted with flour.`
}

const bicycle: PostScene = ({ canvas, palette, random, width, height, unit }) => {
  const { middle, near, light, spark } = palette
  canvas.disc(width * random.between(0.2, 0.8), height * 0.22, 9 * unit, light)
  canvas.below((x) => height * 0.6 + Math.sin(x / (9 * unit)) * unit, middle).below(() => height * 0.84, near)
  const [radius, x, y] = [18 * unit, width / 2, height * 0.84 - 18 * unit]
  for (const side of [-1, 1]) {
    const hub = x + side * 24 * unit
    for (let spoke = 0; spoke < 14; spoke++) {
      const angle = (spoke / 14) * Math.PI * 2
      canvas.line(
        hub,
        y,
        hub + Math.cos(angle) * radius,
        y + Math.sin(angle) * radius,
        0.4 * unit,
        light,
        0.8,
      )
    }
    canvas.ring(hub, y, radius, 1.8 * unit, near).disc(hub, y, 1.8 * unit, spark)
  }
  const frame: [number, number][] = [
    [-24, 0],
    [-9, -22],
    [16, -22],
    [-2, 0],
    [-24, 0],
  ]
  for (const [index, [fromX, fromY]] of frame.slice(0, -1).entries()) {
    const [toX, toY] = frame[index + 1] ?? [0, 0]
    canvas.line(x + fromX * unit, y + fromY * unit, x + toX * unit, y + toY * unit, 1.8 * unit, spark)
  }
  canvas.line(x - 9 * unit, y - 22 * unit, x - 2 * unit, y, 1.8 * unit, spark)
  canvas.line(x + 24 * unit, y, x + 15 * unit, y - 28 * unit, 1.8 * unit, spark)
  canvas.line(x + 11 * unit, y - 29 * unit, x + 20 * unit, y - 28 * unit, 1.6 * unit, near)
  canvas.line(x - 15 * unit, y - 27 * unit, x - 5 * unit, y - 27 * unit, 2.4 * unit, near)
  return 'Illustration: a steel bicycle standing on the quay, water and a pale sun behind it.'
}

export const moreScenes: Partial<Record<Theme, PostScene>> = {
  sky: heaven,
  sewing: quilt,
  garden: bed,
  ink: washes,
  bread: loaf,
  bikes: bicycle,
}

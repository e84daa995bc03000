import type { Colour } from './canvas.ts'

/** Colours that go together: a sky from top to bottom, three layers from far to near, and two accents. */
export interface Palette {
  sky: [Colour, Colour, Colour]
  far: Colour
  middle: Colour
  near: Colour
  light: Colour
  spark: Colour
}

const palette = (colours: string): Palette => {
  const [a = '', b = '', c = '', far = '', middle = '', near = '', light = '', spark = ''] =
    colours.split(' ')
  return { sky: [a, b, c], far, middle, near, light, spark }
}

export const ember = palette('#2b1a3f #a63d40 #f2935c #7a3446 #4d2440 #241632 #ffe0b0 #ff7a45')
export const dawn = palette('#5b7fb0 #c9b6d6 #ffd9c0 #a58fb8 #71638f #3d3a5c #fff3dc #f2845c')
export const sea = palette('#0e3b4d #2b7a83 #a8dcd1 #2f6c78 #1b4a5a #0c2733 #f4f1de #f2b04c')
export const moss = palette('#dfe8cf #b7cfa3 #8fb38a #6f9871 #3f6b52 #1f3d33 #fdf8e4 #e3784f')
export const clay = palette('#f3e4d3 #eacdb0 #dca985 #c27f5a #8c4f3a #4a2a24 #fff8ee #3f6d7a')
export const night = palette('#070b1f #141b45 #3a3270 #28275a #171940 #0a0c24 #f6efd8 #e9a9c9')
export const ink = palette('#f4f1ea #e3e0d8 #cfcdc8 #a5a7ab #5d6168 #1d2026 #ffffff #c4452f')
export const plum = palette('#3a1c46 #7d3c76 #d78aa0 #6b3268 #48214e #250f2d #ffe9d8 #f7b54a')
export const steel = palette('#dbe6ec #b3c9d6 #86a6ba #6486a0 #38566f #1b2c3c #ffffff #f0643c')
export const wheat = palette('#fbeecb #f4d58d #e0a84e #c48a3a #8a5a2b #4b2f1a #fffaf0 #7b3f2a')

export const palettes: Palette[] = [ember, dawn, sea, moss, clay, night, plum, steel, wheat]

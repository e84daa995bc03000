import { encodePng } from './png.ts'

/** `#rrggbb` */
export type Colour = string

/** Pixels to paint on, with smooth edges. Places and lengths are in pixels from the top left. */
export class Canvas {
  readonly pixels: Uint8Array

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint8Array(width * height * 3)
  }

  /** A vertical gradient over everything, through evenly spaced colours. */
  sky(...colours: Colour[]): this {
    const stops = colours.map(channels)
    for (let y = 0; y < this.height; y++) {
      const place = (y / (this.height - 1)) * (stops.length - 1)
      const index = Math.min(Math.floor(place), stops.length - 2)
      const [a, b] = [stops[index] ?? black, stops[index + 1] ?? stops[index] ?? black]
      const mixed = a.map((value, channel) =>
        Math.round(value + ((b[channel] ?? 0) - value) * (place - index)),
      )
      const start = y * this.width * 3
      this.pixels.set(mixed, start)
      // Doubles what is there until the row is full.
      for (let done = 3; done < this.width * 3; done *= 2) {
        this.pixels.copyWithin(start + done, start, start + Math.min(done, this.width * 3 - done))
      }
    }
    return this
  }

  disc(x: number, y: number, radius: number, colour: Colour, alpha = 1): this {
    return this.shape(
      x - radius,
      y - radius,
      x + radius,
      y + radius,
      colour,
      alpha,
      (px, py) => radius - length(px - x, py - y),
    )
  }

  ring(x: number, y: number, radius: number, width: number, colour: Colour, alpha = 1): this {
    const outer = radius + width / 2
    return this.shape(
      x - outer,
      y - outer,
      x + outer,
      y + outer,
      colour,
      alpha,
      (px, py) => width / 2 - Math.abs(length(px - x, py - y) - radius),
    )
  }

  /** An ellipse turned by `angle` (radians). */
  petal(x: number, y: number, long: number, short: number, angle: number, colour: Colour, alpha = 1): this {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return this.shape(x - long, y - long, x + long, y + long, colour, alpha, (px, py) => {
      const along = (px - x) * cos + (py - y) * sin
      const across = (py - y) * cos - (px - x) * sin
      const far = length(along / long, across / short)
      // Nearer to the edge than a pixel it matters how near.
      if (Math.abs(1 - far) * Math.min(long, short) > 1) return far < 1 ? 1 : -1
      // Divided by the slope, so that the edge is as sharp at the tips as at the sides.
      return far === 0 ? short : ((1 - far) * far) / length(along / long ** 2, across / short ** 2)
    })
  }

  /** A line with round ends. */
  line(x1: number, y1: number, x2: number, y2: number, width: number, colour: Colour, alpha = 1): this {
    const half = width / 2
    const [dx, dy] = [x2 - x1, y2 - y1]
    const squared = dx * dx + dy * dy || 1
    return this.shape(
      Math.min(x1, x2) - half,
      Math.min(y1, y2) - half,
      Math.max(x1, x2) + half,
      Math.max(y1, y2) + half,
      colour,
      alpha,
      (px, py) => {
        const along = Math.max(0, Math.min(1, ((px - x1) * dx + (py - y1) * dy) / squared))
        return half - length(px - x1 - along * dx, py - y1 - along * dy)
      },
    )
  }

  /** A rectangle with round corners. */
  box(x: number, y: number, width: number, height: number, radius: number, colour: Colour, alpha = 1): this {
    const [cx, cy] = [x + width / 2, y + height / 2]
    return this.shape(x, y, x + width, y + height, colour, alpha, (px, py) => {
      const [dx, dy] = [Math.abs(px - cx) - width / 2 + radius, Math.abs(py - cy) - height / 2 + radius]
      return radius - length(Math.max(dx, 0), Math.max(dy, 0)) - Math.min(Math.max(dx, dy), 0)
    })
  }

  /** Everything below the line `edge(x)`. */
  below(edge: (x: number) => number, colour: Colour, alpha = 1): this {
    const paint = channels(colour)
    for (let x = 0; x < this.width; x++) {
      const top = edge(x)
      for (let y = Math.max(0, Math.floor(top)); y < this.height; y++) {
        this.blend(x, y, paint, alpha * smooth(y + 1 - top))
      }
    }
    return this
  }

  /** A body of revolution around the vertical `x`: `half(t)` is its half width from top (0) to foot (1). */
  vessel(
    x: number,
    top: number,
    height: number,
    half: (t: number) => number,
    colour: Colour,
    alpha = 1,
  ): this {
    const paint = channels(colour)
    for (let y = Math.floor(top); y < top + height; y++) {
      const reach = half(Math.min(1, Math.max(0, (y + 0.5 - top) / height)))
      for (let px = Math.floor(x - reach); px <= x + reach; px++) {
        this.blend(px, y, paint, alpha * smooth(reach - Math.abs(px + 0.5 - x) + 0.5))
      }
    }
    return this
  }

  /** Swaps left and right. */
  mirror(): this {
    const { pixels, width, height } = this
    for (let y = 0; y < height; y++) {
      let left = y * width * 3
      let right = left + (width - 1) * 3
      for (; left < right; left += 3, right -= 3) {
        for (let channel = 0; channel < 3; channel++) {
          const kept = pixels[left + channel] ?? 0
          pixels[left + channel] = pixels[right + channel] ?? 0
          pixels[right + channel] = kept
        }
      }
    }
    return this
  }

  /** The same in `across` pixels, each the middle colour of what it stands for. */
  miniature(across: number): Canvas {
    const down = Math.max(1, Math.round((across * this.height) / this.width))
    const small = new Canvas(across, down)
    for (let index = 0; index < small.pixels.length; index++) {
      const [column, row] = [Math.floor(index / 3) % across, Math.floor(index / 3 / across)]
      let [sum, count] = [0, 0]
      const [left, right] = [column, column + 1].map((edge) => Math.floor((edge * this.width) / across))
      const [top, foot] = [row, row + 1].map((edge) => Math.floor((edge * this.height) / down))
      for (let y = top ?? 0; y < (foot ?? 0); y += 4) {
        for (let x = left ?? 0; x < (right ?? 0); x += 4, count++) {
          sum += this.pixels[(y * this.width + x) * 3 + (index % 3)] ?? 0
        }
      }
      small.pixels[index] = Math.round(sum / Math.max(1, count))
    }
    return small
  }

  encode(): Promise<Uint8Array> {
    return encodePng(this.width, this.height, this.pixels)
  }

  /** Paints where `depth`, the distance to the edge and positive inside, says so. */
  private shape(
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    colour: Colour,
    alpha: number,
    depth: (x: number, y: number) => number,
  ): this {
    const paint = channels(colour)
    for (let y = Math.max(0, Math.floor(y1)); y < Math.min(this.height, Math.ceil(y2) + 1); y++) {
      for (let x = Math.max(0, Math.floor(x1)); x < Math.min(this.width, Math.ceil(x2) + 1); x++) {
        const cover = smooth(depth(x + 0.5, y + 0.5) + 0.5)
        if (cover > 0) this.blend(x, y, paint, cover * alpha)
      }
    }
    return this
  }

  private blend(x: number, y: number, paint: Channels, alpha: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return
    const { pixels } = this
    const at = (y * this.width + x) * 3
    const [red, green, blue] = paint
    if (alpha === 1) {
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
      return
    }
    pixels[at] = mix(pixels[at] ?? 0, red, alpha)
    pixels[at + 1] = mix(pixels[at + 1] ?? 0, green, alpha)
    pixels[at + 2] = mix(pixels[at + 2] ?? 0, blue, alpha)
  }
}

const mix = (old: number, to: number, alpha: number): number => Math.round(old + (to - old) * alpha)

/** Math.hypot takes twenty times as long: it also minds numbers that no picture has. */
const length = (x: number, y: number): number => Math.sqrt(x * x + y * y)

/** How much of a pixel is covered, in quarters: edges look as smooth and compress far better. */
const smooth = (cover: number): number => (cover >= 1 ? 1 : cover <= 0 ? 0 : Math.round(cover * 4) / 4)

type Channels = [number, number, number]

const black: Channels = [0, 0, 0]

function channels(colour: Colour): Channels {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

import { defineSemanticTokens, defineTokens } from '@chakra-ui/react'

const space = {
  '0.5': { value: '0.125rem' },
  1: { value: '0.25rem' },
  '1.5': { value: '0.375rem' },
  2: { value: '0.5rem' },
  '2.5': { value: '0.625rem' },
  3: { value: '0.75rem' },
  '3.5': { value: '0.875rem' },
  4: { value: '1rem' },
  5: { value: '1.25rem' },
  6: { value: '1.5rem' },
  7: { value: '1.75rem' },
  8: { value: '2rem' },
  9: { value: '2.25rem' },
  10: { value: '2.5rem' },
  11: { value: '2.75rem' },
  12: { value: '3rem' },
  14: { value: '3.5rem' },
  16: { value: '4rem' },
  20: { value: '5rem' },
  24: { value: '6rem' },
  32: { value: '8rem' },
}

/** The scales of type, space, radii, layers and motion. Colors and shadows depend on the mode: see `semanticTokens`. */
export const tokens = defineTokens({
  fonts: {
    body: { value: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif" },
    display: { value: "'Bricolage Grotesque Variable', 'Bricolage Fallback', system-ui, sans-serif" },
    heading: { value: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif" },
    mono: { value: 'ui-monospace, SFMono-Regular, Menlo, monospace' },
  },
  fontSizes: {
    xs: { value: '0.75rem' },
    sm: { value: '0.8125rem' },
    md: { value: '0.9375rem' },
    /** For text inputs: iOS zooms the page if their text is smaller than 16 px. */
    input: { value: '1rem' },
    lg: { value: '1.0625rem' },
    xl: { value: '1.25rem' },
    '2xl': { value: '1.5rem' },
    '3xl': { value: '1.875rem' },
    '4xl': { value: '2.375rem' },
    '5xl': { value: '3rem' },
    '6xl': { value: '4rem' },
    '7xl': { value: '5rem' },
  },
  fontWeights: {
    normal: { value: '400' },
    medium: { value: '500' },
    semibold: { value: '600' },
    bold: { value: '700' },
  },
  lineHeights: {
    tight: { value: '1.05' },
    snug: { value: '1.25' },
    normal: { value: '1.5' },
    relaxed: { value: '1.65' },
  },
  letterSpacings: {
    tighter: { value: '-0.035em' },
    tight: { value: '-0.015em' },
    wide: { value: '0.04em' },
  },
  radii: {
    xs: { value: '0.25rem' },
    sm: { value: '0.5rem' },
    md: { value: '0.75rem' },
    lg: { value: '1rem' },
    xl: { value: '1.5rem' },
    full: { value: '9999px' },
  },
  spacing: space,
  sizes: {
    ...space,
    full: { value: '100%' },
    /** The minimum touch target. */
    target: { value: '2.75rem' },
    nav: { value: '15rem' },
    navIcons: { value: '4.5rem' },
    feed: { value: '40rem' },
    sidebar: { value: '20rem' },
    header: { value: '3.75rem' },
    bottomBar: { value: '3.75rem' },
    shell: { value: '78.5rem' },
    wideShell: { value: '96rem' },
    form: { value: '27rem' },
  },
  borders: {
    hairline: { value: '1px solid var(--ov-colors-hairline)' },
  },
  zIndex: {
    raised: { value: 1 },
    sticky: { value: 100 },
    banner: { value: 200 },
    dropdown: { value: 1000 },
    /** Above dialogs, because some popovers open from within one. */
    popover: { value: 1500 },
    overlay: { value: 1300 },
    modal: { value: 1400 },
    toast: { value: 1700 },
    tooltip: { value: 1800 },
    skipLink: { value: 1900 },
  },
  durations: {
    fast: { value: '120ms' },
    base: { value: '160ms' },
    slow: { value: '200ms' },
  },
  easings: {
    out: { value: 'cubic-bezier(0.2, 0.8, 0.3, 1)' },
  },
})

const lightDark = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } })

/**
 * Every color that components may use. Ember marks actions, unread counts, the focus and the user's own messages, gold
 * marks paid content, and `danger` and `success` mark states. All other colors are nearly neutral. `text`, `muted` and
 * the text shades of these four colors have a contrast of at least 4.5 : 1 on `bg` and `surface`.
 */
export const semanticTokens = defineSemanticTokens({
  colors: {
    bg: lightDark('oklch(0.985 0.004 65)', 'oklch(0.165 0.008 40)'),
    surface: lightDark('oklch(1 0 0)', 'oklch(0.2 0.009 40)'),
    raised: lightDark('oklch(1 0 0)', 'oklch(0.235 0.01 40)'),
    sunken: lightDark('oklch(0.962 0.006 65)', 'oklch(0.225 0.009 40)'),
    hover: lightDark('oklch(0.955 0.007 60)', 'oklch(0.25 0.011 40)'),
    pressed: lightDark('oklch(0.93 0.009 60)', 'oklch(0.285 0.012 40)'),
    /** The background of a filled secondary button. Stands out from `bg`, `surface`, `raised` and `sunken`. */
    fill: lightDark('oklch(0.93 0.009 60)', 'oklch(0.315 0.013 40)'),
    fillHover: lightDark('oklch(0.895 0.011 60)', 'oklch(0.365 0.014 40)'),
    /** The background of the user's own message. */
    ownBubble: lightDark('oklch(0.88 0.09 42)', 'oklch(0.42 0.1 40)'),
    receivedBubble: lightDark('oklch(0.95 0.007 60)', 'oklch(0.29 0.012 40)'),
    hairline: lightDark('oklch(0.905 0.007 60)', 'oklch(0.29 0.01 40)'),
    outline: lightDark('oklch(0.64 0.012 50)', 'oklch(0.52 0.014 45)'),
    text: lightDark('oklch(0.22 0.014 40)', 'oklch(0.955 0.006 70)'),
    muted: lightDark('oklch(0.47 0.016 45)', 'oklch(0.73 0.012 55)'),
    ember: {
      /** Filled areas, such as the primary button of a screen or the badge with the unread count. */
      solid: lightDark('oklch(0.575 0.2 34)', 'oklch(0.7 0.185 36)'),
      solidHover: lightDark('oklch(0.535 0.19 34)', 'oklch(0.745 0.17 38)'),
      on: lightDark('oklch(1 0 0)', 'oklch(0.17 0.03 35)'),
      /** Text, icons and thin lines on a surface. */
      text: lightDark('oklch(0.54 0.19 33)', 'oklch(0.755 0.155 40)'),
      ring: lightDark('oklch(0.65 0.2 35)', 'oklch(0.68 0.19 35)'),
      /** Bars of charts beside one bar in the color `ring`. Opaque, so that grid lines do not show through. */
      pale: lightDark('oklch(0.81 0.11 37)', 'oklch(0.47 0.115 35)'),
      wash: lightDark('oklch(0.962 0.022 45)', 'oklch(0.265 0.045 35)'),
      glow: lightDark('oklch(0.78 0.16 45 / 0.28)', 'oklch(0.68 0.19 35 / 0.24)'),
    },
    gold: {
      solid: lightDark('oklch(0.83 0.145 85)', 'oklch(0.83 0.14 85)'),
      on: lightDark('oklch(0.25 0.05 80)', 'oklch(0.22 0.05 80)'),
      text: lightDark('oklch(0.52 0.105 78)', 'oklch(0.84 0.13 86)'),
      ring: lightDark('oklch(0.67 0.14 78)', 'oklch(0.83 0.14 85)'),
      wash: lightDark('oklch(0.965 0.035 90)', 'oklch(0.28 0.04 85)'),
    },
    danger: {
      solid: lightDark('oklch(0.53 0.205 22)', 'oklch(0.55 0.2 22)'),
      on: lightDark('oklch(1 0 0)', 'oklch(1 0 0)'),
      text: lightDark('oklch(0.52 0.2 22)', 'oklch(0.755 0.135 18)'),
      wash: lightDark('oklch(0.965 0.017 20)', 'oklch(0.265 0.055 20)'),
    },
    success: {
      text: lightDark('oklch(0.5 0.105 155)', 'oklch(0.79 0.125 155)'),
      solid: lightDark('oklch(0.66 0.14 155)', 'oklch(0.74 0.14 155)'),
      wash: lightDark('oklch(0.965 0.02 155)', 'oklch(0.265 0.035 155)'),
    },
    focus: lightDark('oklch(0.575 0.2 34)', 'oklch(0.78 0.14 42)'),
    scrim: lightDark('oklch(0.2 0.02 40 / 0.45)', 'oklch(0.08 0.005 40 / 0.65)'),
    /** The background of a bar that content scrolls under. */
    glass: lightDark('oklch(0.985 0.004 65 / 0.86)', 'oklch(0.165 0.008 40 / 0.86)'),
    inverse: lightDark('oklch(0.235 0.014 40)', 'oklch(0.94 0.006 70)'),
    onInverse: lightDark('oklch(0.97 0.005 70)', 'oklch(0.2 0.012 40)'),
    /** The area behind images and videos: dark in both modes. */
    stage: {
      bg: lightDark('oklch(0.22 0.025 35)', 'oklch(0.125 0.012 35)'),
      /** Text on the stage. */
      text: lightDark('oklch(0.96 0.006 70)', 'oklch(0.93 0.006 70)'),
      /** The background of controls and captions on the stage, and text on light fills. */
      darkest: lightDark('oklch(0.13 0.015 35)', 'oklch(0.085 0.01 35)'),
    },
    shimmer: lightDark('oklch(0.93 0.006 60)', 'oklch(0.275 0.01 40)'),
  },
  shadows: {
    low: lightDark('0 1px 2px oklch(0.3 0.02 40 / 0.06)', '0 1px 2px oklch(0 0 0 / 0.4)'),
    mid: lightDark(
      '0 2px 6px oklch(0.3 0.02 40 / 0.06), 0 10px 28px oklch(0.3 0.02 40 / 0.1)',
      '0 2px 6px oklch(0 0 0 / 0.4), 0 12px 32px oklch(0 0 0 / 0.5)',
    ),
    high: lightDark(
      '0 4px 12px oklch(0.3 0.02 40 / 0.08), 0 24px 64px oklch(0.3 0.02 40 / 0.18)',
      '0 4px 12px oklch(0 0 0 / 0.5), 0 28px 72px oklch(0 0 0 / 0.65)',
    ),
  },
})

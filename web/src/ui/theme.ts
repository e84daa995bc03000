import { createSystem, defaultBaseConfig, defineConfig, defineTextStyles } from '@chakra-ui/react'
import { slotRecipes } from './recipes'
import { withStyleCache } from './style-cache'
import { semanticTokens, tokens } from './tokens'

const textStyles = defineTextStyles({
  hero: {
    value: {
      fontFamily: 'display',
      fontWeight: 'bold',
      fontSize: { base: '4xl', sm: '5xl', lg: '7xl' },
      lineHeight: 'tight',
      letterSpacing: 'tighter',
    },
  },
  display: {
    value: {
      fontFamily: 'display',
      fontWeight: 'bold',
      fontSize: { base: '3xl', md: '4xl' },
      lineHeight: 'snug',
      letterSpacing: 'tight',
    },
  },
  heading: {
    value: {
      fontFamily: 'display',
      fontWeight: 'bold',
      fontSize: '2xl',
      lineHeight: 'snug',
      letterSpacing: 'tight',
    },
  },
  /** A prominent amount or count, such as a total. */
  figure: {
    value: {
      fontWeight: 'bold',
      fontSize: '3xl',
      lineHeight: 'snug',
      letterSpacing: 'tight',
      fontVariantNumeric: 'tabular-nums',
    },
  },
  title: { value: { fontWeight: 'semibold', fontSize: 'lg', lineHeight: 'snug', letterSpacing: 'tight' } },
  lead: { value: { fontSize: { base: 'lg', md: 'xl' }, lineHeight: 'normal' } },
  body: { value: { fontSize: 'md', lineHeight: 'normal' } },
  label: { value: { fontSize: 'md', fontWeight: 'semibold', lineHeight: 'snug' } },
  small: { value: { fontSize: 'sm', lineHeight: 'normal' } },
  caption: { value: { fontSize: 'xs', lineHeight: 'normal' } },
  /** Digits of equal width, for columns and for numbers that update in place. */
  tabularNumbers: { value: { fontVariantNumeric: 'tabular-nums' } },
})

/** The minimum width of the window for each layout. */
export const breakpoints = {
  sm: '480px',
  md: '768px',
  lg: '992px',
  xl: '1200px',
  '2xl': '1280px',
  '3xl': '1500px',
} as const

const config = defineConfig({
  cssVarsPrefix: 'ov',
  preflight: true,
  globalCss: {
    html: {
      bg: 'bg',
      color: 'text',
      fontFamily: 'body',
      lineHeight: 'normal',
      // The scrollbar is always visible, so that the layout does not shift between screens. `scrollbar-gutter` would
      // leave a strip at the edge that neither a dialog's backdrop nor a bar can cover.
      overflowY: 'scroll',
      textSizeAdjust: '100%',
      WebkitTapHighlightColor: 'transparent',
      // Paper is white in both modes. `!important` overrides the inline color that `public/boot.js` sets.
      _print: { bg: 'white !important', color: 'black' },
      _motionReduce: {
        '&, & *, & *::before, & *::after': {
          // Not a short duration: an exit animation could then end before the closing menu or dialog listens for its
          // end, and the element would stay in the page, invisible.
          animationName: 'none !important',
          // Not a short duration either: changing the color mode would start thousands of transitions.
          transitionDuration: '0s !important',
          scrollBehavior: 'auto !important',
        },
      },
    },
    body: { fontSize: 'md', minHeight: '100dvh', fontFeatureSettings: "'cv11', 'ss03'" },
    '#root': { minHeight: '100dvh', isolation: 'isolate' },
    '*, *::before, *::after': { borderColor: 'hairline' },
    '::selection': { bg: 'ember.ring/30' },
    ':focus-visible': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
    'input::placeholder, textarea::placeholder': { color: 'muted', opacity: 1 },
  },
  theme: {
    breakpoints,
    tokens,
    semanticTokens,
    textStyles,
    slotRecipes,
    keyframes: {
      appear: { from: { opacity: 0, transform: 'translateY(-4px) scale(0.985)' } },
      vanish: { to: { opacity: 0, transform: 'translateY(-2px)' } },
      fadeIn: { from: { opacity: 0 } },
      fadeOut: { to: { opacity: 0 } },
      spin: { to: { transform: 'rotate(360deg)' } },
      advance: { from: { transform: 'scaleX(0)' }, to: { transform: 'scaleX(0.9)' } },
      fadeHighlight: { to: { backgroundColor: 'transparent', boxShadow: 'none' } },
      breathe: { '50%': { opacity: 0.55 } },
    },
  },
})

/** The design system. It uses only Chakra's base (conditions and style props), not its default theme. */
export const system = withStyleCache(createSystem(defaultBaseConfig, config))

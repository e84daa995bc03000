import { LazyMotion, MotionConfig } from 'framer-motion'
import type { ReactNode } from 'react'

export * as m from 'framer-motion/m'

const features = () => import('./motion-features').then((module) => module.default)

/** Animations are short, and only for changes that the user caused. */
const transition = { duration: 0.16, ease: [0.2, 0.8, 0.3, 1] } as const

/**
 * Loads the animation code, which `m` components need, and applies the user's reduced motion preference. Only for
 * animations that CSS cannot describe: most animations use the theme's keyframes, which need no code.
 */
export function MotionProvider({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      <MotionConfig reducedMotion="user" transition={transition}>
        {children}
      </MotionConfig>
    </LazyMotion>
  )
}

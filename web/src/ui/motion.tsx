import { LazyMotion, MotionConfig } from 'framer-motion'
import type { ReactNode } from 'react'

export { AnimatePresence } from 'framer-motion'
export * as m from 'framer-motion/m'

const features = () => import('./motion-features').then((module) => module.default)

/** Animations are short, and only for changes that the user caused. */
const transition = { duration: 0.16, ease: [0.2, 0.8, 0.3, 1] } as const

/** Loads the animation code, which `m` components need, and applies the user's reduced motion preference. */
export function MotionProvider({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      <MotionConfig reducedMotion="user" transition={transition}>
        {children}
      </MotionConfig>
    </LazyMotion>
  )
}

/** Fades in from slightly above and out again, for lists and notices that open. */
export const slideFade = {
  initial: { opacity: 0, y: -6 },
  animate: { opacity: 1, y: 0 },
  exit: { opacity: 0, y: -4 },
}

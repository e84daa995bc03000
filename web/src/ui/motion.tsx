import { LazyMotion, MotionConfig } from 'framer-motion'
import type { ReactNode } from 'react'

export { AnimatePresence } from 'framer-motion'
export * as m from 'framer-motion/m'

const features = () => import('./motion-features').then((module) => module.default)

/** For what changed because of the person, and nothing else: short, and gone where motion is not wanted. */
const quick = { duration: 0.16, ease: [0.2, 0.8, 0.3, 1] } as const

/** Loads the animations once; inside it `m.div` and its kin move. */
export function MotionProvider({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      <MotionConfig reducedMotion="user" transition={quick}>
        {children}
      </MotionConfig>
    </LazyMotion>
  )
}

/** Comes in from just above and goes the way it came; for lists and notices that open. */
export const slideFade = {
  initial: { opacity: 0, y: -6 },
  animate: { opacity: 1, y: 0 },
  exit: { opacity: 0, y: -4 },
}

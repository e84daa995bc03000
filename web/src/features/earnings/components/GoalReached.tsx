import { Box } from '@chakra-ui/react'
import type { Goals } from '@contract/earnings.ts'
import { useEffect, useState } from 'react'
import { userStorage } from '@/lib/storage'
import { CheckIcon } from '@/ui/icons'
import { m } from '@/ui/motion'

/** That a goal is reached: said with a small burst the first time this browser shows it, and plainly from then on. */
export function GoalReached({
  userId,
  name,
  goal,
  reached,
}: {
  userId: string
  name: keyof Goals
  goal: number
  reached: boolean
}) {
  const mark = `goal-reached:${name}`
  const [isNew] = useState(() => userStorage(userId).get(mark) !== String(goal))
  useEffect(() => {
    if (reached) userStorage(userId).set(mark, String(goal))
  }, [reached, userId, mark, goal])
  return (
    <div role="status">
      {reached && (
        <Box display="flex" alignItems="center" gap="2" marginTop="3" color="success.text" textStyle="label">
          <Box
            asChild
            display="grid"
            placeItems="center"
            width="6"
            height="6"
            borderRadius="full"
            bg="success.wash"
          >
            <m.span
              initial={isNew ? { scale: 0, rotate: -40 } : false}
              animate={{ scale: isNew ? [0, 1.35, 1] : 1, rotate: 0 }}
              transition={{ duration: 0.4 }}
            >
              <CheckIcon />
            </m.span>
          </Box>
          {isNew ? 'You reached it. Well done!' : 'Reached'}
        </Box>
      )}
    </div>
  )
}

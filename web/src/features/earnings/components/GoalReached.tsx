import { Box } from '@chakra-ui/react'
import type { Goals } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { userStorage } from '@/lib/storage'
import { CheckIcon } from '@/ui/icons'
import { MotionProvider, m } from '@/ui/motion'

/** Shows that a goal is reached, with an animation the first time in this browser. */
export function GoalReached({
  userId,
  name,
  goal,
  isReached,
}: {
  userId: string
  name: keyof Goals
  goal: number
  isReached: boolean
}) {
  const storageName = `goal-reached:${name}`
  const [isNew] = useState(() => userStorage(userId).get(storageName) !== String(goal))
  useEffect(() => {
    if (isReached) userStorage(userId).set(storageName, String(goal))
  }, [isReached, userId, storageName, goal])
  return (
    <div role="status">
      {isReached && (
        <MotionProvider>
          <Box
            display="flex"
            alignItems="center"
            gap="2"
            marginTop="3"
            color="success.text"
            textStyle="label"
          >
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
            {isNew ? t`Goal reached. Well done!` : t`Reached`}
          </Box>
        </MotionProvider>
      )}
    </div>
  )
}

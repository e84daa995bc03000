import { Box } from '@chakra-ui/react'
import type { Goals } from '@contract/earnings.ts'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '@/ui/IconButton'
import { PencilIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { GoalForm } from './GoalForm'
import { GoalReached } from './GoalReached'
import { ProgressBar } from './ProgressBar'

/** One goal: where it stands in large, the way there as a bar, and the goal itself, which can be set in place. */
export function GoalCard({
  name,
  title,
  about,
  format,
  userId,
  goal,
  now,
}: {
  name: keyof Goals
  title: string
  about: string
  format: (value: number) => string
  userId: string
  goal: number
  now: number
}) {
  const id = useId()
  const [editing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const isReached = now >= goal
  const close = () => {
    // The form that had the focus is gone then, and the button is back.
    flushSync(() => setEditing(false))
    edit.current?.focus()
  }
  return (
    <Card as="section" aria-labelledby={id} minWidth="0" padding={{ base: '4', md: '5' }}>
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        minHeight="target"
        marginTop="-2"
      >
        <Box as="h2" id={id} textStyle="label">
          {title}
        </Box>
        {!editing && (
          <IconButton ref={edit} label={`Set ${title}`} marginEnd="-2" onClick={() => setEditing(true)}>
            <PencilIcon />
          </IconButton>
        )}
      </Box>
      <Box
        textStyle="display"
        fontVariantNumeric="tabular-nums"
        marginTop="1"
        marginBottom="3"
        overflowWrap="anywhere"
      >
        {format(now)}
      </Box>
      <ProgressBar
        label={title}
        share={now / goal}
        text={`${format(now)} of ${format(goal)}`}
        reached={isReached}
      />
      <Box
        display="flex"
        justifyContent="space-between"
        gap="3"
        marginTop="2"
        textStyle="small"
        fontVariantNumeric="tabular-nums"
      >
        <span>
          {Math.floor(Math.max(0, now / goal) * 100)}% of {format(goal)}
        </span>
        {!isReached && (
          <Box as="span" color="muted">
            {format(goal - now)} to go
          </Box>
        )}
      </Box>
      <GoalReached key={`${name} ${goal}`} userId={userId} name={name} goal={goal} reached={isReached} />
      {editing ? (
        <GoalForm name={name} title={title} goal={goal} onClose={close} />
      ) : (
        <Box textStyle="small" color="muted" marginTop="3">
          {about}
        </Box>
      )}
    </Card>
  )
}

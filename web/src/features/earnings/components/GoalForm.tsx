import { Box, chakra } from '@chakra-ui/react'
import { type Goals, GoalsRequest } from '@contract/earnings.ts'
import { type FormEvent, useState } from 'react'
import { parseAmount } from '@/lib/parse-amount'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { useSetGoals } from '../goals-api'
import { FormError } from './FormError'

/** Sets one goal where it stands. Escape leaves it as it was. */
export function GoalForm({
  name,
  title,
  goal,
  onClose,
}: {
  name: keyof Goals
  title: string
  goal: number
  onClose: () => void
}) {
  const [text, setText] = useState(String(goal))
  const [wrong, setWrong] = useState<string>()
  const set = useSetGoals()

  function send(event: FormEvent) {
    event.preventDefault()
    if (set.isPending) return
    const request = GoalsRequest.safeParse({ [name]: parseAmount(text) })
    setWrong(request.error?.issues[0]?.message)
    if (request.success) set.mutate(request.data, { onSuccess: onClose })
  }

  return (
    <chakra.form
      noValidate
      aria-label={title}
      marginTop="4"
      onSubmit={send}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextField
        label={name === 'subscribers' ? 'Subscribers' : 'Goal in US dollars'}
        inputMode={name === 'subscribers' ? 'numeric' : 'decimal'}
        autoComplete="off"
        // The press that opened it asked for it.
        autoFocus
        onFocus={({ target }) => target.select()}
        value={text}
        error={wrong}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(undefined)
        }}
      />
      <FormError error={set.error} />
      <Box display="flex" justifyContent="flex-end" gap="2" marginTop="3">
        <Button variant="ghost" size="sm" onClick={onClose} disabled={set.isPending}>
          Cancel
        </Button>
        <Button variant="ember" size="sm" type="submit" pending={set.isPending}>
          Save
        </Button>
      </Box>
    </chakra.form>
  )
}

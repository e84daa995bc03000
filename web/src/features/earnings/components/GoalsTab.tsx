import { Box, chakra } from '@chakra-ui/react'
import { type Goals, GoalsRequest } from '@contract/earnings.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrorText } from '@/lib/errors'
import { dollars, formatCount, formatPercent, parseAmount } from '@/lib/format'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { PencilIcon } from '@/ui/icons'
import { Card } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { SavedNotice, useSavedNotice } from '@/ui/SavedNotice'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { ErrorState, RefreshError } from '@/ui/states'
import { goalsQuery, useSetGoals } from '../api'
import { FormError, ProgressBar } from './EarningsSection'
import { GoalReached } from './GoalReached'

/** Shows the creator's goals and the progress toward them, each with a form that changes it. */
export function GoalsTab() {
  const { user } = useCurrentUser()
  const goals = useQuery(goalsQuery)
  if (goals.isPending) return <GoalsSkeleton />
  if (!goals.data) {
    return (
      <Card inset>
        <ErrorState message={t`Couldn't load your goals. Try again.`} onRetry={() => void goals.refetch()} />
      </Card>
    )
  }
  const { data } = goals
  return (
    <>
      <RefreshError query={goals} />
      <Box css={gridStyle}>
        {user &&
          goalKinds.map((kind) => (
            <GoalCard
              key={kind.name}
              kind={kind}
              userId={user.id}
              goal={data.goals[kind.name]}
              current={data.now[kind.name]}
            />
          ))}
      </Box>
    </>
  )
}

const gridStyle = {
  display: 'grid',
  gap: { base: '3', md: '4' },
  gridTemplateColumns: { base: '1fr', lg: 'repeat(3, minmax(0, 1fr))' },
}

type GoalKind = {
  name: keyof Goals
  title: MessageDescriptor
  description: MessageDescriptor
  format: (value: number) => string
}

const goalKinds: GoalKind[] = [
  {
    name: 'monthlyRevenue',
    title: msg`Monthly Revenue Goal`,
    description: msg`Earned so far this month`,
    format: dollars,
  },
  {
    name: 'subscribers',
    title: msg`Subscriber Goal`,
    description: msg`Current subscribers`,
    format: formatCount,
  },
  {
    name: 'yearlyRevenue',
    title: msg`Yearly Projection`,
    description: msg`Last 30 days × 12`,
    format: dollars,
  },
]

/** Shows one goal: the current value, a progress bar, and the goal itself, which can be edited in place. */
function GoalCard({
  kind: { name, title: titleMessage, description, format },
  userId,
  goal,
  current,
}: {
  kind: GoalKind
  userId: string
  goal: number
  current: number
}) {
  const headingId = useId()
  const title = t(titleMessage)
  const goalText = format(goal)
  const currentText = format(current)
  const remaining = format(goal - current)
  // Rounded down, so that 100% means that the goal is reached.
  const percent = formatPercent(Math.floor(Math.max(0, current / goal) * 100))
  const [isEditing, setIsEditing] = useState(false)
  const [isJustSaved, showSavedNotice] = useSavedNotice(isEditing)
  const editButton = useRef<HTMLButtonElement>(null)
  const isReached = current >= goal
  useRestoreFocus(isEditing, () => editButton.current)
  return (
    <Card inset as="section" aria-labelledby={headingId} minWidth="0" padding={{ base: '4', md: '5' }}>
      <Box
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        minHeight="target"
        marginTop="-2"
      >
        <Box as="h2" id={headingId} textStyle="title">
          {title}
        </Box>
        {!isEditing && (
          <IconButton
            ref={editButton}
            label={t`Set ${title}`}
            marginEnd="-2"
            onClick={() => setIsEditing(true)}
          >
            <PencilIcon />
          </IconButton>
        )}
      </Box>
      <Box textStyle="figure" marginTop="1" marginBottom="3" overflowWrap="anywhere">
        {currentText}
      </Box>
      <ProgressBar
        label={title}
        fraction={current / goal}
        valueText={t`${currentText} of ${goalText}`}
        isComplete={isReached}
      />
      <Box
        display="flex"
        justifyContent="space-between"
        gap="3"
        marginTop="2"
        textStyle="small"
        fontVariantNumeric="tabular-nums"
      >
        <span>{t`${percent} of ${goalText}`}</span>
        {!isReached && (
          <Box as="span" color="muted">
            {t`${remaining} to go`}
          </Box>
        )}
      </Box>
      <GoalReached key={`${name} ${goal}`} userId={userId} name={name} goal={goal} isReached={isReached} />
      {isEditing && (
        <GoalForm
          name={name}
          title={title}
          goal={goal}
          onClose={() => setIsEditing(false)}
          onSaved={showSavedNotice}
        />
      )}
      <Box
        display="flex"
        justifyContent="space-between"
        gap="3"
        textStyle="small"
        color="muted"
        marginTop={isEditing ? '0' : '3'}
      >
        {!isEditing && t(description)}
        <SavedNotice isVisible={isJustSaved} />
      </Box>
    </Card>
  )
}

/** Returns the schema of the form. It parses the goal from a string. */
const goalForm = (name: keyof Goals) =>
  z.object({ goal: z.preprocess(parseAmount, GoalsRequest.shape[name].unwrap()) })

/** Shows the form that changes a goal. Escape closes it without saving. */
function GoalForm({
  name,
  title,
  goal,
  onClose,
  onSaved,
}: {
  name: keyof Goals
  title: string
  goal: number
  onClose: () => void
  onSaved: () => void
}) {
  const { formState, register, clearErrors, handleSubmit } = useForm({
    resolver: zodResolver(goalForm(name)),
    defaultValues: { goal: String(goal) },
    reValidateMode: 'onSubmit',
  })
  const setGoals = useSetGoals()

  const submit = handleSubmit((values) => {
    if (setGoals.isPending) return
    setGoals.mutate(
      { [name]: values.goal },
      {
        onSuccess: () => {
          onSaved()
          onClose()
        },
      },
    )
  })

  return (
    <chakra.form
      noValidate
      aria-label={title}
      marginTop="4"
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextField
        label={name === 'subscribers' ? t`Subscribers` : t`Goal in US dollars`}
        inputMode={name === 'subscribers' ? 'numeric' : 'decimal'}
        autoComplete="off"
        // The form opens only when the user presses the edit button.
        autoFocus
        onFocus={({ target }) => target.select()}
        error={fieldErrorText(formState.errors.goal)}
        {...register('goal', { onChange: () => clearErrors('goal') })}
      />
      <FormError error={setGoals.error} />
      <Box display="flex" justifyContent="flex-end" gap="2" marginTop="3">
        <Button variant="ghost" size="sm" onClick={onClose} disabled={setGoals.isPending}>
          {t`Cancel`}
        </Button>
        <Button
          variant="ember"
          size="sm"
          type="submit"
          disabled={!formState.isDirty}
          pending={setGoals.isPending}
        >
          {t`Save`}
        </Button>
      </Box>
    </chakra.form>
  )
}

function GoalsSkeleton() {
  return (
    <Loading label={t`Loading your goals`} css={gridStyle}>
      {goalKinds.map(({ name }) => (
        <Card inset key={name} padding={{ base: '4', md: '5' }}>
          <Skeleton height="4" width="50%" />
          <Skeleton height="9" width="60%" marginTop="5" />
          <Skeleton height="2.5" borderRadius="full" marginTop="5" />
          <Skeleton height="3" width="80%" marginTop="4" />
        </Card>
      ))}
    </Loading>
  )
}

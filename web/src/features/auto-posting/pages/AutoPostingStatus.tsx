import { Box } from '@chakra-ui/react'
import type { AutoPostingState } from '@contract/auto-posting.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { fullTime, timeAgo, timeUntil } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { ButtonLink } from '@/ui/Button'
import { Card, TextLink } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { autoPostingStatusQuery } from '../api'
import { ownSettingText, statusText, teamSettingText } from './status-text'

const tones = { On: 'success', 'Waits for you': 'gold', Off: 'neutral' } as const

/** Whether a program posts in one's name, what it takes, and how to change that. */
export function AutoPostingStatus({ isCreator }: { isCreator: boolean }) {
  const id = useId()
  const { data, isError, refetch } = useQuery(autoPostingStatusQuery)
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box display="flex" alignItems="center" justifyContent="space-between" gap="3">
        <Box as="h2" id={id} textStyle="title">
          Posts written by AI
        </Box>
        {data && <Badge tone={tones[statusText(data)]}>{statusText(data)}</Badge>}
      </Box>
      {data && <State state={data} isCreator={isCreator} />}
      {!data && isError && (
        <ErrorState message="How it stands did not load." onRetry={() => void refetch()} />
      )}
      {!data && !isError && (
        <Loading label="Loading how it stands">
          <SkeletonText lines={2} marginTop="4" />
          <Skeleton height="11" width="12rem" marginTop="6" borderRadius="full" />
        </Loading>
      )}
    </Card>
  )
}

function State({ state, isCreator }: { state: AutoPostingState; isCreator: boolean }) {
  const { enabled, agreed } = state
  return (
    <>
      <Box color="muted" marginTop="1.5">
        {explained(state, isCreator)}
      </Box>
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns={{ base: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
        gap="4"
        marginTop="5"
      >
        <Fact name="The team">{teamSettingText(state)}</Fact>
        <Fact name="You">{ownSettingText(state)}</Fact>
        <Times {...state} />
      </Box>
      <Box marginTop="5">
        {isCreator && enabled && !agreed ? (
          <ButtonLink to={paths.settings.getHref('profile', 'allowAutoPosting')} variant="ember">
            Agree in Settings
          </ButtonLink>
        ) : (
          <TextLink
            to={paths.settings.getHref('profile', isCreator ? 'allowAutoPosting' : 'isCreator')}
            underlined
          >
            Change it in Settings
          </TextLink>
        )}
      </Box>
    </>
  )
}

function explained({ enabled, agreed, approves }: AutoPostingState, isCreator: boolean): string {
  if (!isCreator)
    return 'Only creators have posts written for them. Your account is not a creator’s at the moment.'
  if (!enabled) {
    return agreed
      ? 'You have agreed. Nothing is written until the team has switched it on for you.'
      : 'A program can write posts in your name once you agree in Settings and the team has switched it on for you.'
  }
  if (!agreed) {
    return 'The team would like to post in your name. Nothing is written, and nothing of yours is sent to the AI provider, unless you agree. You can ask to see each post first, and take it back at any time.'
  }
  return approves
    ? 'A program writes posts in your name. Each waits here until you publish it, and is marked as written with AI.'
    : 'A program writes posts in your name and publishes them, marked as written with AI. In Settings you can ask to see each one first.'
}

function Times({ enabled, agreed, lastAutoPost, nextAt }: AutoPostingState) {
  const now = useNow()
  return (
    <>
      <Fact name="Last one">
        {lastAutoPost ? (
          <time dateTime={lastAutoPost} title={fullTime(lastAutoPost)}>
            {timeAgo(lastAutoPost, now)}
          </time>
        ) : (
          'None yet'
        )}
      </Fact>
      {enabled && agreed && (
        <Fact name="Next one">
          {nextAt ? (
            <time dateTime={nextAt} title={fullTime(nextAt)}>
              {timeUntil(nextAt, now)}
            </time>
          ) : (
            'Not planned yet'
          )}
        </Fact>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box as="dd" textStyle="label">
        {children}
      </Box>
    </div>
  )
}

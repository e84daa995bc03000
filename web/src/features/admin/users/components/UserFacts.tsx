import { Box } from '@chakra-ui/react'
import type { AdminUser } from '@contract/admin.ts'
import type { ReactNode } from 'react'
import { fullTime, longDate, timeAgo } from '@/lib/format'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { frequencyNames } from '../labels'

/** How somebody is reached, since when they are here, and when a program last posted for them. */
export function UserFacts({ person }: { person: AdminUser }) {
  const { email, phoneNumber, createdAt, lastAutoPost, approvedAt, approvedBy } = person
  return (
    <Box
      as="dl"
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(11rem, 1fr))' }}
      columnGap="5"
      rowGap={{ base: '1', md: '2' }}
      marginTop="3"
      textStyle="small"
    >
      <Fact name="Email">{email}</Fact>
      <Fact name="Phone">{phoneNumber || 'Not given'}</Fact>
      <Fact name="Joined">
        <time dateTime={createdAt} title={fullTime(createdAt)}>
          {longDate(createdAt)}
        </time>
      </Fact>
      {(person.autoPostingEnabled || lastAutoPost) && (
        <Fact name="Last auto-post">
          <Ago time={lastAutoPost} />
          {person.autoPostingEnabled && ` · ${frequencyNames[person.autoPostingFrequency]}`}
        </Fact>
      )}
      {approvedAt && (
        <Fact name="Approved">
          <time dateTime={approvedAt} title={fullTime(approvedAt)}>
            {longDate(approvedAt)}
          </time>
          {approvedBy && (
            <>
              {' '}
              by <bdi>{displayName(approvedBy)}</bdi>
            </>
          )}
        </Fact>
      )}
    </Box>
  )
}

function Ago({ time }: { time: string | null }) {
  const now = useNow()
  if (!time) return 'None yet'
  return (
    <time dateTime={time} title={fullTime(time)}>
      {timeAgo(time, now)}
    </time>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box display={{ base: 'grid', md: 'block' }} gridTemplateColumns="6.5rem minmax(0, 1fr)" minWidth="0">
      <Box as="dt" color="muted">
        {name}
      </Box>
      <Box as="dd" minWidth="0" overflowWrap="anywhere">
        {children}
      </Box>
    </Box>
  )
}

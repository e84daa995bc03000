import { Box } from '@chakra-ui/react'
import type { AuditEntry } from '@contract/audit.ts'
import type { UserCard } from '@contract/user.ts'
import { Link } from 'react-router-dom'
import { fullTime } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { TextLink } from '@/ui/layout'
import { describeAction } from '../model'

/** One deed of an admin, in words, with what changed by it. */
export function AuditEntryRow({ entry }: { entry: AuditEntry }) {
  const { id, createdAt, actor, targetId, target, subject, hash } = entry
  const { before, after, facts } = describeAction(entry)
  return (
    <Box
      as="li"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
      overflowWrap="anywhere"
    >
      <div>
        <Person person={actor} /> {before}
        {targetId && (
          <>
            {' '}
            <Person person={target} />
          </>
        )}
        {after && ` ${after}`}
        {entry.action === 'post.create' && subject && (
          <>
            {' '}
            · <TextLink to={paths.post.getHref(subject)}>View post</TextLink>
          </>
        )}
      </div>
      {facts.length > 0 && (
        <Box as="dl" textStyle="small" marginTop="1">
          {facts.map(([name, value]) => (
            <div key={name}>
              <Box as="dt" display="inline" color="muted">
                {name}:{' '}
              </Box>
              <Box as="dd" display="inline">
                <bdi>{value}</bdi>
              </Box>
            </div>
          ))}
        </Box>
      )}
      <Box textStyle="caption" color="muted" marginTop="1" fontVariantNumeric="tabular-nums">
        <time dateTime={createdAt}>{fullTime(createdAt)}</time> · row {id} ·{' '}
        <Box as="code" translate="no" fontFamily="mono" title={hash}>
          {hash.slice(0, 12)}…
        </Box>
      </Box>
    </Box>
  )
}

function Person({ person }: { person: UserCard | null }) {
  if (!person)
    return (
      <Box as="span" textStyle="label">
        Deleted user
      </Box>
    )
  return (
    <Box asChild textStyle="label" _hover={{ textDecoration: 'underline' }}>
      <Link to={paths.profile.getHref(person.handle)}>
        <bdi>{displayName(person)}</bdi>
      </Link>
    </Box>
  )
}

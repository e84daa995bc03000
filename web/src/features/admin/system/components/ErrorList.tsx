import { Box } from '@chakra-ui/react'
import type { SystemStatus } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Section } from '../../components/Section'

/** Shows the server's most recent warnings and errors. */
export function ErrorList({ errors }: Pick<SystemStatus, 'errors'>) {
  const now = useNow()
  return (
    <Section
      title={t`Recent errors`}
      text={
        errors.length > 0
          ? t`The latest warnings and errors. The log has all of them.`
          : t`No warnings or errors yet.`
      }
      flush
    >
      <Box as="ul" listStyleType="none">
        {errors.map(({ time, level, event, detail, requestId }, index) => (
          <Box
            as="li"
            // biome-ignore lint/suspicious/noArrayIndexKey: two errors can be equal
            key={`${time} ${index}`}
            display="flex"
            alignItems="flex-start"
            justifyContent="space-between"
            gap="4"
            paddingInline={{ base: '4', md: '5' }}
            paddingBlock="3.5"
            borderTopWidth="1px"
          >
            <Box minWidth="0" overflowWrap="anywhere">
              {/* Not translated: the logs and the operator's guide use this name. */}
              <Box as="code" translate="no" fontFamily="mono" textStyle="label">
                {event}
              </Box>
              <Box textStyle="small" translate="no">
                {detail}
              </Box>
              <Box textStyle="small" color="muted">
                <time dateTime={time} title={fullTime(time)}>
                  {timeAgo(time, now)}
                </time>
                {requestId && ` · ${requestId}`}
              </Box>
            </Box>
            <Badge tone={level === 'error' ? 'danger' : 'neutral'}>
              {level === 'error' ? t`Error` : t`Warning`}
            </Badge>
          </Box>
        ))}
      </Box>
    </Section>
  )
}

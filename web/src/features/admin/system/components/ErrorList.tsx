import { Box } from '@chakra-ui/react'
import type { SystemStatus } from '@contract/admin.ts'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Card } from '@/ui/layout'

/** Shows the server's most recent warnings and errors. */
export function ErrorList({ errors }: Pick<SystemStatus, 'errors'>) {
  const id = useId()
  const now = useNow()
  return (
    <Card as="section" aria-labelledby={id} overflow="hidden">
      <Box padding={{ base: '4', md: '5' }}>
        <Box as="h2" id={id} textStyle="title">
          {t`Recent errors`}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {errors.length > 0
            ? t`The latest warnings and errors. The log has all of them.`
            : t`No warnings or errors yet.`}
        </Box>
      </Box>
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
    </Card>
  )
}

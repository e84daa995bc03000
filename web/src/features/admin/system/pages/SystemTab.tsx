import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/errors'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState, RefreshError } from '@/ui/states'
import { systemQuery } from '../api'
import { ErrorList } from '../components/ErrorList'
import { HealthSection } from '../components/HealthSection'
import { JobSchedule } from '../components/JobSchedule'

/** Shows the health of this instance, its scheduled jobs and its most recent errors. */
export default function SystemTab() {
  const system = useQuery(systemQuery)
  const { data, error, isError, refetch } = system
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <RefreshError query={system} />
      {data && <HealthSection status={data} />}
      {!data && isError && (
        <Card>
          <ErrorState
            message={errorMessage(error, t`Couldn't load the system status. Try again.`)}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {!data && !isError && (
        <Loading label={t`Loading system status`}>
          <Card padding={{ base: '4', md: '5' }}>
            <Skeleton height="5" width="8rem" />
            <SkeletonText lines={4} marginTop="5" />
          </Card>
        </Loading>
      )}
      <JobSchedule />
      {data && <ErrorList errors={data.errors} />}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '@/lib/api'
import { Card } from '@/ui/layout'
import { Loading, Skeleton, SkeletonText } from '@/ui/Skeleton'
import { ErrorState } from '@/ui/states'
import { settingsQuery } from '../api'
import { AutoPostingSection } from '../components/AutoPostingSection'
import { SwitchesSection } from '../components/SwitchesSection'
import { OperatorNotes } from './OperatorNotes'

/** The switches of this instance. */
export default function SettingsTab() {
  const { data, error, isError, refetch } = useQuery(settingsQuery)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      {!data && isError && (
        <Card>
          <ErrorState
            message={errorMessage(error, 'The settings did not load.')}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {!data && !isError && (
        <Loading label="Loading the settings">
          <Card padding={{ base: '4', md: '5' }}>
            <Skeleton height="5" width="8rem" />
            <SkeletonText lines={5} marginTop="5" />
          </Card>
        </Loading>
      )}
      {data && (
        <>
          <SwitchesSection settings={data} />
          <AutoPostingSection settings={data} />
        </>
      )}
      <OperatorNotes />
    </Box>
  )
}

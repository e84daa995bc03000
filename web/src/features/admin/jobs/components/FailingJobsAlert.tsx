import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/ui/Button'
import { AlertIcon } from '@/ui/icons'
import { formatJobName } from '../../auto-posting/model'
import { jobsQuery } from '../api'

/** Says above all else that a job is late or fails, and leads to the schedule. */
export function FailingJobsAlert({ onShow }: { onShow: () => void }) {
  const { data } = useQuery(jobsQuery)
  const troubled = data?.filter(({ late, outcome }) => late || outcome === 'failed') ?? []
  if (troubled.length === 0) return null
  const names = troubled.map(({ name }) => formatJobName(name)).join(', ')
  return (
    <Box
      role="alert"
      display="flex"
      alignItems="center"
      gap="2.5"
      padding="3.5"
      marginInline={{ base: '2', md: '0' }}
      bg="danger.wash"
      color="danger.text"
      borderRadius="md"
      textStyle="small"
    >
      <Box as="span" fontSize="lg" flexShrink={0}>
        <AlertIcon />
      </Box>
      <Box as="span" flex="1" minWidth="0">
        {troubled.length === 1 ? 'A job is late or fails' : `${troubled.length} jobs are late or fail`}:{' '}
        {names}.
      </Box>
      <Button variant="outline" size="sm" onClick={onShow}>
        Show schedule
      </Button>
    </Box>
  )
}

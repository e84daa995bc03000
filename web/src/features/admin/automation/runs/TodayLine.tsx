import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { todayQuery } from '../api/today'
import { todayInWords } from '../words'

/** What was posted and spent today, beside what may be; nothing as long as that is not known. */
export function TodayLine() {
  const { data } = useQuery(todayQuery)
  if (!data) return null
  return (
    <Box textStyle="small" color={data.full ? 'danger.text' : 'muted'} marginTop="1">
      {todayInWords(data)}
    </Box>
  )
}

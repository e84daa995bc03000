import { Box } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { describeTodayUsage } from '../model'
import { todayUsageQuery } from '../today-api'

/** What was posted and spent today, beside what may be; nothing as long as that is not known. */
export function TodayUsage() {
  const { data } = useQuery(todayUsageQuery)
  if (!data) return null
  return (
    <Box textStyle="small" color={data.full ? 'danger.text' : 'muted'} marginTop="1">
      {describeTodayUsage(data)}
    </Box>
  )
}

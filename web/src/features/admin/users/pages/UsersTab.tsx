import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { AiKeyCard } from '../../auto-posting/components/AiKeyCard'
import { UserStats } from '../components/UserStats'
import { UserSection } from './UserSection'

/** Who is here, and what can be done with their accounts; `?q=` is searched, `?filter=` narrows the list. */
export function UsersTab() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <AiKeyCard />
      <UserStats onFilter={() => heading.current?.focus()} />
      <UserSection heading={heading} />
    </Box>
  )
}

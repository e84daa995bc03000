import { Box } from '@chakra-ui/react'
import { useRef } from 'react'
import { KeyCard } from '../automation/KeyCard'
import { PeopleSection } from './PeopleSection'
import { StatCards } from './StatCards'

/** Who is here, and what can be done with their accounts; `?q=` is searched, `?filter=` narrows the list. */
export function PeopleTab() {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
      <KeyCard />
      <StatCards onFilter={() => heading.current?.focus()} />
      <PeopleSection heading={heading} />
    </Box>
  )
}

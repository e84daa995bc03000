import { Box } from '@chakra-ui/react'
import type { User } from '@contract/user.ts'
import type { ReactNode } from 'react'
import { monthAndYear } from '@/lib/format'
import { CurtainDrawing } from '@/ui/drawings'
import { Card } from '@/ui/layout'
import { RichText } from '@/ui/RichText'
import { EmptyState } from '@/ui/states'
import { ownParagraphs } from '@/ui/words'

/** What a person tells about themselves, beside what every profile's head says. */
export function AboutTab({ user }: { user: User }) {
  if (!user.bio) {
    return (
      <Card>
        <EmptyState drawing={<CurtainDrawing />} title="No additional information available" />
      </Card>
    )
  }
  return (
    <Card as="dl" display="grid" gap="4" padding={{ base: '4', md: '6' }}>
      <Entry name="Bio">
        <RichText text={user.bio} />
      </Entry>
      <Entry name="Joined">{monthAndYear(user.createdAt)}</Entry>
    </Card>
  )
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box as="dd" whiteSpace="pre-wrap" overflowWrap="anywhere" {...ownParagraphs}>
        {children}
      </Box>
    </div>
  )
}

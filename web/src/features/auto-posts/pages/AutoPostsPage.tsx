import { Box } from '@chakra-ui/react'
import { useCurrentUser } from '@/lib/session'
import { PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { Drafts } from '../components/Drafts'
import { StateCard } from '../components/StateCard'

/** `/auto-posts`: what a program writes in one's name. */
export default function AutoPostsPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Auto-posts')
  return (
    <>
      <PageHeader title="Auto-posts" />
      {user && (
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
          <StateCard isCreator={user.isCreator} />
          <Drafts userId={user.id} />
        </Box>
      )}
    </>
  )
}

import { Box } from '@chakra-ui/react'
import { useCurrentUser } from '@/session/session'
import { PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { DraftList } from '../components/DraftList'
import { AutoPostingStatus } from './AutoPostingStatus'

/** `/auto-posts`: what a program writes in one's name. */
export default function AutoPostsPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Auto-posts')
  return (
    <>
      <PageHeader title="Auto-posts" />
      {user && (
        <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: '2', md: '4' }}>
          <AutoPostingStatus isCreator={user.isCreator} />
          <DraftList userId={user.id} />
        </Box>
      )}
    </>
  )
}

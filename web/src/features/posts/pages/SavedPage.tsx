import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { PageHeader } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { SavedPosts } from '../components/OwnPostLists'

/** Shows `/saved`. */
export default function SavedPage() {
  useDocumentTitle(t`Saved Posts`)
  return (
    <Box>
      <PageHeader title={t`Saved Posts`} />
      <SavedPosts />
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { TimeAgo } from '@/ui/TimeAgo'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { accountLogQuery } from '../api'
import { SafetyList } from '../components/SafetyList'

/** What admins did to the viewer's account. */
export function AccountLogTab() {
  const list = useInfiniteQuery(accountLogQuery)
  return (
    <SafetyList
      title="Account log"
      text="What the people who run this site did to your account. Nobody can change or delete what stands here."
      list={list}
      items={list.data?.pages.flat()}
      empty={{ title: 'Nothing was done to your account', text: 'What admins do to it stands here.' }}
      failed="Your account log did not load."
    >
      {({ id, text, createdAt }) => (
        <Box
          as="li"
          key={id}
          paddingInline={{ base: '4', md: '5' }}
          paddingBlock="3.5"
          borderTopWidth="1px"
          overflowWrap="anywhere"
        >
          <Box {...userTextParagraphs}>{text}</Box>
          <Box textStyle="small" color="muted">
            <TimeAgo at={createdAt} />
          </Box>
        </Box>
      )}
    </SafetyList>
  )
}

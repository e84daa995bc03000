import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { UserText } from '@/ui/UserText'
import { usePostSlots } from '../post-slots'
import { BubbleShape, PostFrame } from './MessageBubble'

/** Shows a message as its receivers will see it. `children` is shown below it. */
export function MessagePreview({
  text,
  postId,
  children,
}: {
  text: string
  postId: string | null
  children?: ReactNode
}) {
  const { Card } = usePostSlots()
  return (
    <Box as="section" aria-label={t`Preview`} borderWidth="1px" borderRadius="md" padding="4">
      <Box textStyle="label" color="muted" marginBottom="2" aria-hidden>
        {t`Preview`}
      </Box>
      <Box display="flex" flexDirection="column" alignItems="flex-start" gap="1" maxWidth="88%">
        {text !== '' && (
          <BubbleShape own={false} tail={!postId}>
            <UserText text={text} underlined />
          </BubbleShape>
        )}
        {postId && (
          <PostFrame>
            <Card postId={postId} preview />
          </PostFrame>
        )}
        {children}
      </Box>
    </Box>
  )
}

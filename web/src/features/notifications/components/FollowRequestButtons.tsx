import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { useAnswerFollowRequest } from '../mark-read'

/** Accepts or declines a request to follow, on the spot. */
export function FollowRequestButtons({ userId }: { userId: string }) {
  const answer = useAnswerFollowRequest()
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      gap="2"
      paddingInline="4"
      paddingBlock="3"
      paddingInlineStart="4.5rem"
    >
      <Button
        size="sm"
        variant="ember"
        disabled={answer.isPending}
        onClick={() => answer.mutate({ userId, accept: true })}
      >
        Accept
      </Button>
      <Button
        size="sm"
        variant="outline"
        disabled={answer.isPending}
        onClick={() => answer.mutate({ userId, accept: false })}
      >
        Decline
      </Button>
      {answer.isError && (
        <Box role="alert" textStyle="small" color="danger.text" alignSelf="center">
          That did not work. Please try again.
        </Box>
      )}
    </Box>
  )
}

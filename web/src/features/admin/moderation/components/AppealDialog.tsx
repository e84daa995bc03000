import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type AdminCase, AppealDecisionRequest } from '@contract/moderation.ts'
import { useRef, useState } from 'react'
import { useLeaveGuard } from '@/lib/leave-guard'
import { displayName } from '@/lib/text'
import { NoteField } from '@/ui/NoteField'
import { userTextParagraphs } from '@/ui/user-text-styles'
import { useAnswerAppeal } from '../decisions-api'
import { deletedUserName } from '../model'
import { DecisionDialog } from './DecisionDialog'

/** Answers an appeal for good: grants it or turns it down, with what the person is told. */
export function AppealDialog({
  one,
  grant,
  open,
  onClose,
  finalFocus,
}: {
  one: AdminCase
  grant: boolean
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const [answer, setAnswer] = useState('')
  const [wrong, setWrong] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const { send, isPending, failure } = useAnswerAppeal(onClose)
  const { max } = limits.moderationReason
  const typed = answer.trim() !== ''
  const guard = useLeaveGuard(open && typed)
  return (
    <DecisionDialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      initialFocus={() => field.current}
      title={grant ? 'Grant this appeal?' : 'Turn this appeal down?'}
      description={
        <>
          <bdi>{displayName(one.person, deletedUserName)}</bdi>{' '}
          {grant
            ? 'gets back what the decision took: what it hid is shown again, and its suspension ends.'
            : 'is told so, and the decision stays.'}{' '}
          This is for good.
        </>
      }
      action={grant ? 'Grant' : 'Turn down'}
      danger={!grant}
      typed={typed}
      guard={guard}
      complete={() => {
        const request = AppealDecisionRequest.safeParse({ outcome: grant ? 'overturned' : 'upheld', answer })
        setWrong(request.error?.issues[0]?.message)
        return request.data ?? null
      }}
      send={(request) => send({ id: one.id, ...request })}
      isPending={isPending}
      failure={failure}
      ifDiscarded="The appeal was not answered, and it is not kept."
    >
      {one.appeal && (
        <Box
          as="blockquote"
          paddingInlineStart="3.5"
          borderInlineStartWidth="3px"
          borderInlineStartColor="outline"
          maxHeight="12rem"
          overflowY="auto"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          {...userTextParagraphs}
        >
          {one.appeal}
        </Box>
      )}
      <NoteField
        ref={field}
        label="Answer"
        hint="The person reads this, word for word."
        value={answer}
        onChange={(text) => {
          setAnswer(text)
          setWrong(undefined)
        }}
        max={max}
        tooLong={`An answer can have at most ${max} characters.`}
        error={wrong}
      />
    </DecisionDialog>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { type AdminCase, AppealDecisionRequest } from '@contract/moderation.ts'
import { type FormEvent, useId, useRef, useState } from 'react'
import { displayName } from '@/lib/person'
import { useLeaveGuard } from '@/lib/useLeaveGuard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { NoteField } from '@/ui/NoteField'
import { useDiscard } from '@/ui/useDiscard'
import { ownParagraphs } from '@/ui/words'
import { useAnswerAppeal } from '../api/decide'
import { nobody } from '../words'

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
  const form = useId()
  const [answer, setAnswer] = useState('')
  const [wrong, setWrong] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const { send, isPending, failure } = useAnswerAppeal(onClose)
  const { max } = limits.moderationReason
  const typed = answer.trim() !== ''
  const { close, question } = useDiscard({
    open,
    typed,
    busy: isPending,
    onClose,
    finalFocus,
    guard: useLeaveGuard(open && typed),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const request = AppealDecisionRequest.safeParse({ outcome: grant ? 'overturned' : 'upheld', answer })
    setWrong(request.error?.issues[0]?.message)
    if (!request.success) field.current?.focus()
    else if (!isPending && open) send({ id: one.id, ...request.data })
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={() => field.current}
        title={grant ? 'Grant this appeal?' : 'Turn this appeal down?'}
        description={
          <>
            <bdi>{displayName(one.person, nobody)}</bdi>{' '}
            {grant
              ? 'gets back what the decision took: what it hid is shown again, and its suspension ends.'
              : 'is told so, and the decision stays.'}{' '}
            This is for good.
          </>
        }
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" form={form} variant={grant ? 'ember' : 'danger'} pending={isPending}>
              {grant ? 'Grant' : 'Turn down'}
            </Button>
          </>
        }
      >
        <chakra.form id={form} noValidate onSubmit={submit} display="grid" gap="4" paddingBlock="1">
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
              {...ownParagraphs}
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
          {failure && (
            <Box role="alert" textStyle="small" color="danger.text" overflowWrap="anywhere">
              {failure}
            </Box>
          )}
        </chakra.form>
      </Dialog>
      <DiscardDialog question={question} text="The appeal was not answered, and it is not kept." />
    </>
  )
}

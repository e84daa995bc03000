import { Box, chakra } from '@chakra-ui/react'
import { type FormEvent, type ReactNode, useId } from 'react'
import type { LeaveGuard } from '@/lib/leave-guard'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { DiscardDialog } from '@/ui/DiscardDialog'
import { useDiscardConfirmation } from '@/ui/useDiscardConfirmation'

/** The frame of what an admin decides: its fields are `children`, checked by `complete` when it is sent. */
export function DecisionDialog<Request>({
  open,
  onClose,
  finalFocus,
  initialFocus,
  title,
  description,
  action,
  danger = false,
  typed,
  guard,
  complete,
  send,
  isPending,
  failure,
  ifDiscarded = 'Nothing was decided, and it is not kept.',
  children,
}: {
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
  initialFocus?: () => HTMLElement | null
  title: string
  description: ReactNode
  /** What the button says. */
  action: string
  danger?: boolean
  /** Something was typed that would be lost. */
  typed: boolean
  /** Of the page, where that may be left meanwhile. */
  guard?: LeaveGuard
  /** Null where something is wrong, which the fields then show. */
  complete: () => Request | null
  send: (request: Request) => void
  isPending: boolean
  failure: string | null
  /** What is so when what was typed is thrown away. */
  ifDiscarded?: string
  children: ReactNode
}) {
  const form = useId()
  const { close, question } = useDiscardConfirmation({
    open,
    typed,
    busy: isPending,
    onClose,
    finalFocus,
    guard,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending || !open) return
    const { currentTarget } = event
    const request = complete()
    if (request) send(request)
    // The marks are on the page by then.
    else setTimeout(() => firstWrong(currentTarget)?.focus())
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={close}
        finalFocus={finalFocus}
        initialFocus={initialFocus}
        title={title}
        description={description}
        footer={
          <>
            <Button variant="outline" onClick={close} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" form={form} variant={danger ? 'danger' : 'ember'} pending={isPending}>
              {action}
            </Button>
          </>
        }
      >
        <chakra.form id={form} noValidate onSubmit={submit} display="grid" gap="4" paddingBlock="1">
          {children}
          {failure && (
            <Box role="alert" textStyle="small" color="danger.text" overflowWrap="anywhere">
              {failure}
            </Box>
          )}
        </chakra.form>
      </Dialog>
      <DiscardDialog question={question} text={ifDiscarded} />
    </>
  )
}

const firstWrong = (form: HTMLFormElement) =>
  form.querySelector<HTMLElement>('[aria-invalid=true]') ??
  form.querySelector<HTMLElement>('input[type=radio]')

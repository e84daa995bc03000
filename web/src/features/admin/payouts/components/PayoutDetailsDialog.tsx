import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { usePayoutDetails } from '../api'
import { payeeName, payoutDetailLines } from '../model'

/** Where a payout is to go, in full: only after a press that says it is recorded, and gone when it closes. */
export function PayoutDetailsDialog({
  payout,
  open,
  onClose,
  finalFocus,
}: {
  payout: AdminPayout
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | null
}) {
  const details = usePayoutDetails()
  const close = () => {
    details.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      finalFocus={finalFocus}
      title="Payout details"
      description={
        <>
          {dollars(payout.amount)} for <bdi>{payeeName(payout)}</bdi>.{' '}
          {details.data
            ? 'It is recorded that you have seen this.'
            : 'Showing the details is recorded with your name.'}
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={close}>
            Close
          </Button>
          {!details.data && (
            <Button
              variant="ember"
              pending={details.isPending}
              pendingLabel="Showing…"
              onClick={() => details.mutate(payout.id)}
            >
              Show details
            </Button>
          )}
        </>
      }
    >
      <div role="status">
        {details.data && (
          <Box as="dl" display="grid" gap="1" paddingBlock="2">
            {payoutDetailLines(details.data.details).map(([name, value]) => (
              <Line key={name} name={name} value={value} />
            ))}
          </Box>
        )}
      </div>
    </Dialog>
  )
}

function Line({ name, value }: { name: string; value: string }) {
  const copy = async () => {
    try {
      // Where the page did not come by https there is no clipboard.
      await navigator.clipboard.writeText(value)
      toast({ title: 'Copied' })
    } catch {
      toast({ title: 'Error', description: 'It could not be copied.', tone: 'destructive' })
    }
  }
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box
        as="dd"
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        gap="3"
        textStyle="label"
      >
        <Box minWidth="0" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
          <bdi>{value}</bdi>
        </Box>
        <IconButton label={`Copy ${name}`} onClick={() => void copy()}>
          <CopyIcon />
        </IconButton>
      </Box>
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { copyText } from '@/ui/copy-text'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon } from '@/ui/icons'
import { usePayoutDetails } from '../api'
import { payeeName, payoutDetailLines } from '../model'

/** Shows the full destination of a payout after a click, which is recorded. Closing the dialog discards it. */
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
              <DetailLine key={name} name={name} value={value} />
            ))}
          </Box>
        )}
      </div>
    </Dialog>
  )
}

function DetailLine({ name, value }: { name: string; value: string }) {
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
        <IconButton label={`Copy ${name}`} onClick={() => void copyText(value)}>
          <CopyIcon />
        </IconButton>
      </Box>
    </div>
  )
}

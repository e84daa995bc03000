import { Box } from '@chakra-ui/react'
import type { AdminPayout } from '@contract/earnings.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { dollars } from '@/lib/format'
import { Button } from '@/ui/Button'
import { copyText } from '@/ui/copy-text'
import { Dialog } from '@/ui/Dialog'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon } from '@/ui/icons'
import { usePayoutDetails } from '../api'
import { payeeName, payoutDetailLines } from '../model'

/**
 * Shows the full destination of a payout once the admin clicks a button. The server records each view. Closing the
 * dialog discards the destination.
 */
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
  const amount = dollars(payout.amount)
  const payee = <bdi>{payeeName(payout)}</bdi>
  const close = () => {
    details.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      finalFocus={finalFocus}
      title={t`Payout details`}
      description={
        <>
          <Trans>
            {amount} for {payee}.
          </Trans>{' '}
          {details.data
            ? t`The audit log records that you viewed the details.`
            : t`Viewing the details is recorded in the audit log.`}
        </>
      }
      footer={
        <>
          <Button variant="outline" onClick={close}>
            {t`Close`}
          </Button>
          {!details.data && (
            <Button
              variant="ember"
              pending={details.isPending}
              pendingLabel={t`Loading…`}
              onClick={() => details.mutate(payout.id)}
            >
              {t`Show details`}
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
        <IconButton label={t`Copy ${name}`} onClick={() => void copyText(value)}>
          <CopyIcon />
        </IconButton>
      </Box>
    </div>
  )
}

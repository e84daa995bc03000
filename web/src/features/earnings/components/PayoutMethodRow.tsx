import { Box } from '@chakra-ui/react'
import type { PayoutMethod } from '@contract/earnings.ts'
import { useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { IconButton } from '@/ui/IconButton'
import { AtIcon, BankIcon, ClockIcon, TrashIcon } from '@/ui/icons'
import { userTextLine } from '@/ui/user-text-styles'
import { formatDateTime, payoutMethodTypes } from '../model'
import { isMethodOnHold, useSetDefaultPayoutMethod } from '../payout-methods-api'

/** One method: its name, what is shown of its details, from when it can be used, and what can be done with it. */
export function PayoutMethodRow({
  method,
  onEdit,
  onRemove,
}: {
  method: PayoutMethod
  onEdit: () => void
  onRemove: () => void
}) {
  const makeDefault = useSetDefaultPayoutMethod()
  const waits = isMethodOnHold(method, useNow())
  return (
    <Box
      as="li"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      rowGap="2"
      paddingInline={{ base: '4', md: '5' }}
      paddingBlock="3.5"
      borderTopWidth="1px"
    >
      <Box display="flex" alignItems="center" gap="4" flex="1" minWidth="14rem">
        <Box
          aria-hidden
          display="grid"
          placeItems="center"
          flexShrink={0}
          width="10"
          height="10"
          borderRadius="full"
          bg="sunken"
          color="muted"
          fontSize="xl"
        >
          {method.type === 'bank' ? <BankIcon /> : <AtIcon />}
        </Box>
        <Box minWidth="0">
          <Box display="flex" alignItems="center" gap="2">
            <Box as="span" textStyle="label" truncate {...userTextLine}>
              {method.name}
            </Box>
            {method.isDefault && <Badge tone="success">Default</Badge>}
          </Box>
          <Box textStyle="small" color="muted" overflowWrap="anywhere">
            {payoutMethodTypes[method.type]} · {method.details}
          </Box>
          {waits && (
            <Box
              display="flex"
              alignItems="center"
              gap="1.5"
              textStyle="small"
              color="gold.text"
              marginTop="0.5"
            >
              <ClockIcon />
              Can be used from {formatDateTime(method.usableFrom)}
            </Box>
          )}
        </Box>
      </Box>
      <Box display="flex" alignItems="center" gap="1" marginStart="auto" marginEnd="-2">
        {!method.isDefault && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Make ${method.name} the default`}
            pending={makeDefault.isPending}
            onClick={() => makeDefault.mutate(method)}
          >
            Make default
          </Button>
        )}
        <Button variant="outline" size="sm" aria-label={`Edit ${method.name}`} onClick={onEdit}>
          Edit
        </Button>
        <IconButton label={`Remove ${method.name}`} onClick={onRemove}>
          <TrashIcon />
        </IconButton>
      </Box>
    </Box>
  )
}

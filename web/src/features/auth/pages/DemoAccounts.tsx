import { Box } from '@chakra-ui/react'
import type { Config } from '@contract/config.ts'
import { useId } from 'react'
import { Button } from '@/ui/Button'

type Accounts = NonNullable<Config['demoAccounts']>

/** On a server with demo data: sign in as one of its people with one click. */
export function DemoAccounts({
  accounts,
  disabled,
  onChoose,
}: {
  accounts: Accounts
  disabled: boolean
  onChoose: (email: string, password: string) => void
}) {
  const id = useId()
  if (accounts.length === 0) return null
  return (
    <Box as="section" aria-labelledby={id} marginTop="6" paddingTop="5" borderTopWidth="1px">
      <Box as="h2" id={id} textStyle="label">
        Try a demo account
      </Box>
      <Box as="p" textStyle="small" color="muted" marginTop="1">
        This server runs on demo data. One click signs you in.
      </Box>
      <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="2" marginTop="3">
        {accounts.map((account) => (
          <Button
            key={account.email}
            variant="outline"
            disabled={disabled}
            justifyContent="space-between"
            onClick={() => onChoose(account.email, account.password)}
          >
            {account.label}
            <Box as="span" textStyle="small" color="muted" fontWeight="normal" minWidth="0" truncate>
              {account.email}
            </Box>
          </Button>
        ))}
      </Box>
    </Box>
  )
}

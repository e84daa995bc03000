import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** One matter of a tab: what it is, what is to be known of it, and what can be done. On a phone one below the other. */
export function SettingsPanel({
  title,
  text,
  action,
  danger = false,
  children,
}: {
  title: string
  text: ReactNode
  action: ReactNode
  danger?: boolean
  children?: ReactNode
}) {
  const id = useId()
  return (
    <Card
      as="section"
      aria-labelledby={id}
      padding={{ base: '4', md: '6' }}
      borderColor={danger ? 'danger.text' : undefined}
    >
      <Box
        display="flex"
        flexDirection={{ base: 'column', md: 'row' }}
        // Where what can be done leaves the words too little room, it stands below them.
        flexWrap={{ md: 'wrap' }}
        alignItems={{ base: 'stretch', md: 'center' }}
        justifyContent="space-between"
        gap="4"
      >
        <Box minWidth="0" flex={{ md: '1 1 18rem' }}>
          <Box as="h2" id={id} textStyle="title" color={danger ? 'danger.text' : undefined}>
            {title}
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            {text}
          </Box>
        </Box>
        {action}
      </Box>
      {children}
    </Card>
  )
}

import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** A part of the instance's settings, with what it is for. */
export function SettingsSection({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} padding={{ base: '4', md: '5' }}>
      <Box as="h2" id={id} textStyle="title">
        {title}
      </Box>
      {text && (
        <Box textStyle="small" color="muted" marginTop="0.5">
          {text}
        </Box>
      )}
      <Box marginTop="5">{children}</Box>
    </Card>
  )
}

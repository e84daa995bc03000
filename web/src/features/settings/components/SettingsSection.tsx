import { Box } from '@chakra-ui/react'
import { Children, type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** Settings that belong together, under a heading; each child is a row. */
export function SettingsSection({
  title,
  text,
  aside,
  children,
}: {
  title: string
  text?: ReactNode
  /** Beside the heading: what holds for all of it. */
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} paddingTop={{ base: '4', md: '6' }} paddingBottom="2">
      <Box paddingInline={{ base: '4', md: '6' }} paddingBottom="3">
        <Box display="flex" alignItems="center" justifyContent="space-between" gap="4">
          <Box as="h2" id={id} textStyle="title">
            {title}
          </Box>
          {aside}
        </Box>
        {text && (
          <Box textStyle="small" color="muted" marginTop="0.5">
            {text}
          </Box>
        )}
      </Box>
      {Children.map(children, (row) => row && <Row>{row}</Row>)}
    </Card>
  )
}

function Row({ children }: { children: ReactNode }) {
  return (
    <Box marginInline={{ base: '4', md: '6' }} paddingBlock="3.5" borderTopWidth="1px" borderColor="hairline">
      {children}
    </Box>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { Children, type ReactNode, useId } from 'react'
import { Card } from '@/ui/layout'

/** Shows a group of settings with a heading. Each child is a row. */
export function SettingsSection({
  title,
  text,
  aside,
  children,
}: {
  title: string
  text?: ReactNode
  /** A control beside the heading that applies to the whole section. */
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

/** Shows a title and text, with an action beside them or, on phones, below them. */
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
        // The action wraps below the text if the text would become too narrow.
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

/** Shows its items on one line with dots between them, or one below the other on phones. */
export const DetailsLine = chakra('div', {
  base: {
    display: { base: 'grid', md: 'block' },
    textStyle: 'small',
    color: 'muted',
    overflowWrap: 'anywhere',
    marginTop: '0.5',
    '& > span + span::before': { content: '" · "', display: { base: 'none', md: 'inline' } },
  },
})

import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { paths } from '@/paths'
import { LogoLink } from '@/ui/LogoLink'
import { TextLink } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** A page of plain text in a readable measure. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title)
  return (
    <Box maxWidth="44rem" marginInline="auto" paddingInline="5" paddingBottom="20">
      <Box as="header" display="flex" alignItems="center" minHeight="20">
        <LogoLink />
      </Box>
      <Box as="main" id="main" tabIndex={-1} outline="none" lineHeight="relaxed">
        <Box as="h1" textStyle="display">
          {title}
        </Box>
        <Box as="p" color="muted" marginTop="2">
          Last updated July 2, 2025
        </Box>
        {children}
        <Box marginTop="12">
          <TextLink to={paths.home.getHref()}>Back to home</TextLink>
        </Box>
      </Box>
    </Box>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box as="section" marginTop="9">
      <Box as="h2" textStyle="heading" fontSize="xl" marginBottom="3">
        {title}
      </Box>
      <Box
        display="grid"
        gap="3"
        css={{ '& ul': { paddingInlineStart: '5', listStyle: 'disc', display: 'grid', gap: '1.5' } }}
      >
        {children}
      </Box>
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import CreatorProCard from '@/billing/components/CreatorProCard'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { PlusIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Tooltip } from '@/ui/Tooltip'
import { useMinWidth } from '@/ui/useMinWidth'
import { mainLinks, type NavigationLink, toolLinks } from './navigation-links'
import { openComposer } from './quick-dialogs'
import { SideNavigationLabel, SideNavigationLink, shortViewport } from './SideNavigationLink'

/** The side navigation, from 768 px. */
export function SideNavigation() {
  const { user } = useCurrentUser()
  const labelled = useMinWidth('xl')
  return (
    <Box
      as="nav"
      aria-label="Main"
      hideBelow="md"
      position="sticky"
      // Where it stands anyway, below the bar and its line: on a screen too short to hold it there it would be higher.
      top="calc({sizes.header} + 1px)"
      alignSelf="start"
      maxHeight="calc(100dvh - {sizes.header} - 1px)"
      overflowY="auto"
      scrollbarWidth="none"
      // Room for the focus rings, which a box that scrolls would cut off.
      padding="1"
      margin="-1"
      marginTop="0"
      display="flex"
      flexDirection="column"
    >
      <Box flexShrink="0" height="4" css={{ [shortViewport]: { height: '2' } }} />
      <Links links={mainLinks} />
      <VisuallyHidden asChild>
        <h2 id="creator-tools">Creator tools</h2>
      </VisuallyHidden>
      <Box
        aria-hidden
        height="1px"
        flexShrink="0"
        bg="hairline"
        marginBlock="2.5"
        marginInline={{ xl: '4' }}
        css={{ [shortViewport]: { marginBlock: '1.5' } }}
      />
      <Links links={toolLinks(user)} labelledBy="creator-tools" />
      <Tooltip label="New post" side="right" disabled={labelled}>
        <Button
          variant="ember"
          marginTop="4"
          paddingInline="0"
          minHeight="12"
          css={{ [shortViewport]: { marginTop: '2', minHeight: '10' } }}
          onClick={openComposer}
        >
          <Box fontSize="xl">
            <PlusIcon />
          </Box>
          <SideNavigationLabel>New post</SideNavigationLabel>
        </Button>
      </Tooltip>
      {user && !user.isCreator && <CreatorProCard compact={!labelled} />}
      {/* What is cut off below fades out. At its end this has nothing to lie on. */}
      <Box
        aria-hidden
        position="sticky"
        bottom="-1"
        flexShrink="0"
        height="8"
        marginInline="-1"
        backgroundImage="linear-gradient(transparent, {colors.bg})"
        pointerEvents="none"
      />
    </Box>
  )
}

function Links({ links, labelledBy }: { links: NavigationLink[]; labelledBy?: string }) {
  return (
    <Box as="ul" listStyleType="none" aria-labelledby={labelledBy} display="grid" gap="0.5">
      {links.map((link) => (
        <li key={link.to}>
          <SideNavigationLink link={link} />
        </li>
      ))}
    </Box>
  )
}

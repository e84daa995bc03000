import { Box, chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useCurrentUser } from '@/lib/session'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { CurtainDrawing } from '@/ui/drawings'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { PayoutList } from '../payouts/components/PayoutList'

const Code = chakra('code', {
  base: {
    display: 'block',
    marginTop: '2',
    paddingInline: '3',
    paddingBlock: '2',
    bg: 'sunken',
    borderRadius: 'sm',
    fontFamily: 'mono',
    fontSize: 'sm',
    overflowWrap: 'anywhere',
  },
})

/** `/admin`. */
export default function AdminPage() {
  const { user } = useCurrentUser()
  useDocumentTitle('Admin Panel')
  return (
    <>
      {!user?.isAdmin && (
        <EmptyState
          as="h1"
          drawing={<CurtainDrawing />}
          title="Access Denied"
          text="You don't have permission to access this page."
          action={
            <ButtonLink to={paths.home.getHref()} variant="ember">
              Back to home
            </ButtonLink>
          }
        />
      )}
      {user?.isAdmin && <ForAdmins />}
    </>
  )
}

/** What can be done today stands in docs/operating.md; here is what an admin looks for first. */
function ForAdmins() {
  return (
    <>
      <PageHeader title="Admin Panel" />
      <PayoutList />
      <Card as="section" padding={{ base: '4', md: '6' }} marginTop={{ base: '2', md: '4' }}>
        <p>
          People are not managed from this page yet. You see every profile and post, whatever its owner hides
          from others; the rest is done by the operator, on the machine that runs the platform.
        </p>
        <Box as="dl" display="grid" gap="5" marginTop="6">
          <Task name="Name an admin">
            In the studio, whose address is printed at the start, or with any PostgreSQL client:
            <Code>select private.grant_admin('you@example.com');</Code>
          </Task>
          <Task name="See whether all is well">
            One address answers for every part, 503 with the name of one that fails:
            <Code>GET /api/health</Code>
          </Task>
          <Task name="Look at data">
            The studio shows every table. It is open on the machine itself only, with the secret in its
            address.
          </Task>
          <Task name="Read mails">
            Without a mail server set up, every mail that goes out stays in the mailbox, whose address is
            printed at the start as well.
          </Task>
        </Box>
      </Card>
    </>
  )
}

function Task({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Box as="dt" textStyle="label">
        {name}
      </Box>
      <Box as="dd" textStyle="small" color="muted">
        {children}
      </Box>
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useCreatorsOnly } from '@/lib/useCreatorsOnly'
import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { LockIcon } from '@/ui/icons'
import { Card, PageHeader } from '@/ui/layout'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

/** A screen for creators that has nothing to show yet, and says what it will show. */
export function CreatorScreen({
  title,
  why,
  drawing,
  text,
  topics,
}: {
  title: string
  /** What somebody else is told. */
  why: string
  drawing: ReactNode
  text: string
  topics: { name: string; about: string }[]
}) {
  useDocumentTitle(title)
  const allowed = useCreatorsOnly(why)
  return (
    <>
      <PageHeader title={title} />
      <Card>
        {allowed ? (
          <>
            <EmptyState
              drawing={drawing}
              title={`Your ${title.toLowerCase()} are not here yet`}
              text={text}
            />
            <Topics topics={topics} />
          </>
        ) : (
          <Locked />
        )}
      </Card>
    </>
  )
}

function Topics({ topics }: { topics: { name: string; about: string }[] }) {
  return (
    <Box
      as="dl"
      display="grid"
      gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }}
      columnGap="6"
      rowGap="4"
      padding={{ base: '4', md: '6' }}
      borderTopWidth="1px"
    >
      {topics.map(({ name, about }) => (
        <div key={name}>
          <Box as="dt" textStyle="label">
            {name}
          </Box>
          <Box as="dd" textStyle="small" color="muted">
            {about}
          </Box>
        </div>
      ))}
    </Box>
  )
}

/** For the two seconds before somebody who is no creator is taken home. */
function Locked() {
  return (
    <EmptyState
      drawing={
        <Box fontSize="4rem" color="gold.text" display="flex" justifyContent="center">
          <LockIcon />
        </Box>
      }
      title="This is for creators"
      text="Taking you back to your home feed."
      action={
        <ButtonLink to={paths.settings.getHref('profile')} variant="gold">
          Upgrade to Creator Pro
        </ButtonLink>
      }
    />
  )
}

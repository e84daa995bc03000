import { Box } from '@chakra-ui/react'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { trendingTagsQuery } from '@/features/posts/api/posts'
import { WelcomeProfileForm } from '@/features/settings/components/WelcomeProfileForm'
import { PeopleSuggestions } from '@/features/users/components/PeopleSuggestions'
import { api } from '@/lib/api'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { queryKeys } from '@/lib/query-client'
import { useCurrentUser } from '@/session/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Card } from '@/ui/layout'
import { useDocumentTitle } from '@/ui/useDocumentTitle'
import { welcomedUsers } from './HomeRoute'

/**
 * Shows `/welcome?step=`: two steps after registration, each of which can be skipped. Each step has its own history
 * entry, so the Back button and a reload work. When the user finishes or skips the steps, or opens another page, the
 * steps are recorded as seen.
 */
export default function WelcomeRoute() {
  const { user } = useCurrentUser()
  const [params] = useSearchParams()
  useDocumentTitle(t`Welcome`)
  useFinishOnLeave(user?.id)
  if (!user) return null
  return params.get('step') === 'profile' ? <ProfileStep user={user} /> : <PeopleStep />
}

function PeopleStep() {
  const topics = useQuery(trendingTagsQuery)
  return (
    <Step
      number={1}
      title={t`Welcome to ${appName}`}
      text={t`Follow a few people to fill your home feed. You can change this any time.`}
      footer={
        <>
          <ButtonLink to={paths.home.getHref()} replace variant="ghost">
            {t`Skip all`}
          </ButtonLink>
          <ButtonLink to={paths.welcome.getHref('profile')} variant="ember">
            {t({ message: 'Next', context: 'step' })}
          </ButtonLink>
        </>
      }
    >
      {/* Not rendered until the topics have loaded, because they would push the list of people down. */}
      {topics.isPending ? null : <PeopleSuggestions topics={topics.data?.map(({ tag }) => tag) ?? []} />}
    </Step>
  )
}

function ProfileStep({ user }: { user: OwnUser }) {
  const formId = useId()
  const navigate = useNavigate()
  return (
    <Step
      number={2}
      title={t`Introduce yourself`}
      text={t`A photo and a line about you help people recognize you.`}
      footer={
        <>
          <ButtonLink to={paths.welcome.getHref()} variant="ghost" marginInlineEnd="auto">
            {t`Back`}
          </ButtonLink>
          <ButtonLink to={paths.home.getHref()} replace variant="ghost">
            {t`Skip`}
          </ButtonLink>
          <Button type="submit" form={formId} variant="ember">
            {t`Finish`}
          </Button>
        </>
      }
    >
      <WelcomeProfileForm
        user={user}
        formId={formId}
        onSaved={() => navigate(paths.home.getHref(), { replace: true })}
      />
    </Step>
  )
}

/** Shows one step with its number, title and buttons. The title receives focus when the step is shown. */
function Step({
  number,
  title,
  text,
  footer,
  children,
}: {
  number: number
  title: string
  text: string
  footer: React.ReactNode
  children: React.ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever another step is shown
  useEffect(() => heading.current?.focus({ preventScroll: true }), [number])
  return (
    <Card asChild padding={{ base: '4', md: '6' }}>
      <section aria-label={title}>
        <Box textStyle="small" color="muted">
          {t`Step ${number} of 2`}
        </Box>
        <Box asChild textStyle="heading" outline="none">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </Box>
        <Box as="p" color="muted" marginTop="1" marginBottom="5">
          {text}
        </Box>
        {children}
        <Box display="flex" flexWrap="wrap" justifyContent="flex-end" gap="2" marginTop="6">
          {footer}
        </Box>
      </section>
    </Card>
  )
}

/** When the user opens another page of the app, records that they have seen the steps. A reload records nothing. */
function useFinishOnLeave(userId: string | undefined): void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => api.command('POST', '/api/user/onboarded'),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.currentUser }),
  })
  useEffect(() => {
    if (userId === undefined) return
    welcomedUsers.add(userId)
    return () => {
      // A language change also unmounts the component, but the user stays on the page.
      if (window.location.pathname !== paths.welcome.path) mutate()
    }
  }, [userId, mutate])
}

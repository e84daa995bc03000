import { paths } from '@/lib/paths'
import { ButtonLink } from '@/ui/Button'
import { CurtainIllustration } from '@/ui/illustrations'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

export function NotFoundPage() {
  useDocumentTitle('404 Page Not Found')
  return (
    <EmptyState
      as="h1"
      drawing={<CurtainIllustration />}
      title="404 Page Not Found"
      text="Did you forget to add the page to the router?"
      action={
        <ButtonLink to={paths.home.getHref()} variant="ember">
          Back to home
        </ButtonLink>
      }
    />
  )
}

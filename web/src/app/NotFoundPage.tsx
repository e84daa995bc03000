import { paths } from '@/paths'
import { ButtonLink } from '@/ui/Button'
import { CurtainDrawing } from '@/ui/drawings'
import { EmptyState } from '@/ui/states'
import { useDocumentTitle } from '@/ui/useDocumentTitle'

export function NotFoundPage() {
  useDocumentTitle('404 Page Not Found')
  return (
    <EmptyState
      as="h1"
      drawing={<CurtainDrawing />}
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

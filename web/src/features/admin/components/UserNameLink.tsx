import { Box } from '@chakra-ui/react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'

/** What somebody is called, leading to their profile where there is one: an account may be gone. */
export function UserNameLink({ person, name }: { person: { handle: string } | null; name: string }) {
  if (!person) return name
  return (
    <Box asChild _hover={{ textDecoration: 'underline' }}>
      <Link to={paths.profile.getHref(person.handle)}>
        <bdi>{name}</bdi>
      </Link>
    </Box>
  )
}

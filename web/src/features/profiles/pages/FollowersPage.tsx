import { Follows } from '../components/Follows'

/** `/profile/:identifier/followers` */
export default function FollowersPage() {
  return <Follows side="followers" />
}

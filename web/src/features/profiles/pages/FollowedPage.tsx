import { Follows } from '../components/Follows'

/** `/profile/:identifier/following` */
export default function FollowedPage() {
  return <Follows side="following" />
}

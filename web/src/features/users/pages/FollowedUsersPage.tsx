import { FollowList } from './FollowListPage'

/** `/profile/:identifier/following` */
export default function FollowedUsersPage() {
  return <FollowList side="following" />
}

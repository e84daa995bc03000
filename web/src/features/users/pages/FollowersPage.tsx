import { FollowList } from './FollowListPage'

/** `/profile/:identifier/followers` */
export default function FollowersPage() {
  return <FollowList side="followers" />
}

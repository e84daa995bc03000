import { ChartDrawing } from '@/ui/drawings'
import { CreatorScreen } from '../components/CreatorScreen'

/** `/analytics`, for creators. */
export default function AnalyticsPage() {
  return (
    <CreatorScreen
      title="Analytics"
      why="Analytics is a Creator Pro exclusive feature. Upgrade your account to access insights into your audience."
      drawing={<ChartDrawing />}
      text="Views are not counted yet, so there is no number to show you. Likes stand on each of your posts meanwhile."
      topics={[
        { name: 'Overview', about: 'Views, likes, comments and how many of your viewers react.' },
        { name: 'Content', about: 'Which of your posts reached people, and which did not.' },
        { name: 'Audience', about: 'Who follows you, by age group and country, never by name.' },
        { name: 'Revenue', about: 'What your posts earned over time.' },
      ]}
    />
  )
}

import { CoinsDrawing } from '@/ui/drawings'
import { CreatorScreen } from '../components/CreatorScreen'

/** `/earnings`, for creators. */
export default function EarningsPage() {
  return (
    <CreatorScreen
      title="Earnings"
      why="Earnings is a Creator Pro exclusive feature. Upgrade your account to access revenue tracking and payouts."
      drawing={<CoinsDrawing />}
      text="Nothing is sold here yet, so there is nothing to pay out. No money moves today."
      topics={[
        { name: 'Overview', about: 'Your balance, this month, what is pending, and where it came from.' },
        { name: 'Transactions', about: 'Every sale, subscription and tip, one by one.' },
        { name: 'Payouts', about: 'How and when you are paid.' },
        { name: 'Goals', about: 'What you want to earn, and how far you have come.' },
      ]}
    />
  )
}

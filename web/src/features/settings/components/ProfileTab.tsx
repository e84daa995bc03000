import { Card } from '@/ui/layout'
import { Switch } from '@/ui/Switch'
import { useOwnRecord, useSave } from '../api/save'

/** What others see of the person, as far as it can be changed today. */
export function ProfileTab() {
  const user = useOwnRecord()
  const save = useSave()
  if (!user) return null
  return (
    <Card padding={{ base: '4', md: '6' }}>
      <Switch
        label="Creator Account"
        hint="Creator Pro: a creator’s ring and badge, and the way into Analytics and Earnings. No money moves today, and you can switch it off again."
        checked={user.isCreator}
        onChange={(isCreator) => save({ of: 'profile', fields: { isCreator } })}
      />
    </Card>
  )
}

import { SessionTimeout } from '@contract/user.ts'
import { SelectField } from '@/ui/Field'
import { useOptimisticOwnUser, useSaveSetting } from '../api/own-user'

const choices = [
  { value: '15', label: '15 minutes' },
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: 'never', label: 'Never' },
]

/** After which time without a sign of the person their browser signs them out. Saved as it is chosen. */
export function SessionTimeoutField() {
  const user = useOptimisticOwnUser()
  const save = useSaveSetting()
  if (!user) return null
  return (
    <SelectField
      label="Sign me out when I am away for"
      hint="Counts in each browser by itself, over all its tabs. You are warned a minute before."
      value={String(user.sessionTimeout ?? 'never')}
      onChange={({ target: { value } }) => {
        const minutes = SessionTimeout.safeParse(Number(value))
        save({ of: 'security', fields: { sessionTimeout: minutes.success ? minutes.data : null } })
      }}
    >
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

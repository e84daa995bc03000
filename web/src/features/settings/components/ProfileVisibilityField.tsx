import { Box, chakra } from '@chakra-ui/react'
import type { ProfileVisibility } from '@contract/profile-visibility.ts'
import { useId } from 'react'

const choices: { value: ProfileVisibility; label: string; hint: string }[] = [
  { value: 'public', label: 'Public', hint: 'Anyone sees your posts and your profile, signed in or not.' },
  {
    value: 'followers',
    label: 'Followers',
    hint: 'Only your followers. Others can ask to follow you.',
  },
  {
    value: 'private',
    label: 'Private',
    hint: 'Only you, and the admins of this site. This holds for what you posted before, too.',
  },
]

const Line = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '3',
    minHeight: 'target',
    paddingBlock: '2',
    cursor: 'pointer',
  },
})

const Control = chakra('input', {
  base: {
    appearance: 'none',
    flexShrink: 0,
    width: '1.25rem',
    height: '1.25rem',
    borderRadius: 'full',
    borderWidth: '2px',
    borderColor: 'outline',
    cursor: 'inherit',
    transition: 'border-color {durations.fast}, border-width {durations.fast}',
    _checked: { borderColor: 'ember.solid', borderWidth: '6px' },
  },
})

/** Who may read a profile and what was posted by it: one of three, each with what it means. */
export function ProfileVisibilityField({
  value,
  onChange,
}: {
  value: ProfileVisibility
  onChange: (value: ProfileVisibility) => void
}) {
  const id = useId()
  return (
    <fieldset aria-labelledby={id}>
      <Box id={id} textStyle="label" marginBottom="1">
        Profile visibility
      </Box>
      {choices.map((choice) => (
        <Line key={choice.value}>
          <Control
            type="radio"
            name={id}
            aria-labelledby={`${id}-${choice.value}`}
            aria-describedby={`${id}-${choice.value}-hint`}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
          />
          <Box minWidth="0">
            <Box id={`${id}-${choice.value}`} lineHeight="1.25rem" textStyle="label">
              {choice.label}
            </Box>
            <Box id={`${id}-${choice.value}-hint`} textStyle="small" color="muted" marginTop="0.5">
              {choice.hint}
            </Box>
          </Box>
        </Line>
      ))}
    </fieldset>
  )
}

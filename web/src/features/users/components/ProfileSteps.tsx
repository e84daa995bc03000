import { Box, chakra } from '@chakra-ui/react'
import { type SocialField, socialSites } from '@contract/about.ts'
import type { OwnUser } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { CheckIcon } from '@/ui/icons'
import { Card, VisuallyHidden } from '@/ui/layout'

const socialFields = Object.keys(socialSites) as SocialField[]

/** Lists the steps that complete the viewer's profile and marks those that are done. Shows nothing if all are done. */
export function ProfileSteps({ user }: { user: OwnUser }) {
  const steps = [
    { label: t`Add a profile photo`, isDone: user.profileImageUrl !== null, topic: 'profile' },
    { label: t`Add a cover photo`, isDone: user.backgroundImageUrl !== null, topic: 'profile' },
    { label: t`Write a bio`, isDone: !!user.bio, topic: 'profile', field: 'bio' },
    { label: t`Say where you live`, isDone: user.livesIn !== null, topic: 'about', field: 'livesIn' },
    {
      label: t`Link your other pages`,
      isDone: user.website !== null || socialFields.some((field) => user[field] !== null),
      topic: 'links',
    },
  ]
  const doneCount = steps.filter(({ isDone }) => isDone).length
  const stepCount = steps.length
  if (doneCount === stepCount) return null
  return (
    <Card as="section" aria-labelledby="profile-steps" padding="4">
      <Box display="flex" justifyContent="space-between" alignItems="baseline">
        <Box as="h2" id="profile-steps" textStyle="title">
          {t`Complete your profile`}
        </Box>
        <Box textStyle="caption" color="muted" fontVariantNumeric="tabular-nums">
          {t`${doneCount} of ${stepCount}`}
        </Box>
      </Box>
      <Box aria-hidden height="1" borderRadius="full" bg="sunken" marginTop="3" marginBottom="2">
        <Box
          height="full"
          borderRadius="full"
          bg="ember.solid"
          style={{ width: `${(doneCount / stepCount) * 100}%` }}
        />
      </Box>
      <Box as="ul" listStyleType="none" marginBottom="-2">
        {steps.map(({ label, isDone, topic, field }) => (
          <li key={label}>
            {isDone ? (
              <Step as="div" color="muted">
                <Mark isDone>
                  <CheckIcon />
                </Mark>
                {label}
                <VisuallyHidden>{t`Done`}</VisuallyHidden>
              </Step>
            ) : (
              <Step asChild _hover={{ color: 'ember.text' }}>
                <Link to={paths.settings.getHref(topic, field)}>
                  <Mark />
                  {label}
                </Link>
              </Step>
            )}
          </li>
        ))}
      </Box>
    </Card>
  )
}

const Step = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: 'target',
    fontWeight: 'medium',
    borderRadius: 'sm',
  },
})

const Mark = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    boxSize: '5',
    borderRadius: 'full',
    borderWidth: '1.5px',
    borderColor: 'outline',
    fontSize: 'xs',
  },
  variants: { isDone: { true: { bg: 'ember.solid', borderColor: 'transparent', color: 'ember.on' } } },
})

import { Box } from '@chakra-ui/react'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

const definitions = [
  [
    'A view',
    'One of your posts was on the screen of somebody who is signed in, at least half of it, for a second. Each person counts once an hour for each post, and you yourself never.',
  ],
  [
    'Likes, comments and new followers',
    'Counted on the day they were made. What is taken back within two hours of the end of that day is not counted; later, it stays. Your own never count.',
  ],
  ['Engagement rate', 'Likes and comments for each 100 views.'],
  ['New subscriptions', 'Counted on the day they began. Renewals do not count.'],
  [
    'Revenue',
    'What came in from subscriptions, tips and premium posts, after the platform’s share. Refunds are taken off on the day they are made.',
  ],
  [
    'Days',
    'They begin and end at midnight UTC. The last one is today and not over yet; figures include what there is of it.',
  ],
  [
    'Comparisons',
    'Today is left out, as it is not over yet: only the whole days of the period are compared, each with the day that lies 7, 30, 90 or 365 days before it, as the grey line of a chart shows it.',
  ],
  [
    'Best hours and best days',
    'What each hour and weekday has on average, over the last 7, 30, 90 or 365 whole days. Today is left out here as well.',
  ],
  [
    'Audience',
    'Your followers by what they say of themselves, counted once a day. Groups of fewer than five people are left out, and shares are of those in the groups that are shown.',
  ],
] as const

/** What each figure is, for whoever asks. */
export function MetricDefinitions() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="link" size="sm" paddingInline="0" onClick={() => setOpen(true)}>
        How is this counted?
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="How is this counted?">
        <Box as="dl" display="grid" gap="3.5" paddingBottom="5">
          {definitions.map(([name, text]) => (
            <div key={name}>
              <Box as="dt" textStyle="label">
                {name}
              </Box>
              <Box as="dd" textStyle="small" color="muted">
                {text}
              </Box>
            </div>
          ))}
        </Box>
      </Dialog>
    </>
  )
}

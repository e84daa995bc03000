import { Box, chakra } from '@chakra-ui/react'
import { Fragment } from 'react'
import { Dialog } from '@/ui/Dialog'

const keys = [
  ['/', 'Search'],
  ['n', 'Write a post'],
  ['j', 'Next post'],
  ['k', 'Post before'],
  ['Esc', 'Close what is open'],
  ['?', 'Show these keys'],
] as const

const Key = chakra('kbd', {
  base: {
    display: 'inline-grid',
    placeItems: 'center',
    minWidth: '8',
    height: '8',
    paddingInline: '2',
    bg: 'sunken',
    borderWidth: '1px',
    borderRadius: 'sm',
    fontFamily: 'mono',
    fontSize: 'sm',
  },
})

export function KeyboardShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns="auto 1fr"
        alignItems="center"
        gap="3"
        paddingBottom="4"
      >
        {keys.map(([key, meaning]) => (
          <Fragment key={key}>
            <dt>
              <Key>{key}</Key>
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </Box>
    </Dialog>
  )
}

import { chakra } from '@chakra-ui/react'

/** A button below a post; ember while it is pressed in, or what it opens is open. */
export const PostAction = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    minHeight: 'target',
    minWidth: 'target',
    paddingInline: '3',
    borderRadius: 'full',
    textStyle: 'small',
    color: 'muted',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
    transition: 'color {durations.fast}',
    _hover: { color: 'ember.text' },
    '&[aria-pressed=true], &[aria-expanded=true]': { color: 'ember.text' },
    '&[aria-disabled=true]': { cursor: 'not-allowed', opacity: 0.7, color: 'muted' },
  },
})

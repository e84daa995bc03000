import { chakra } from '@chakra-ui/react'

/** A small button below a comment. */
export const CommentAction = chakra('button', {
  base: {
    minHeight: '8',
    paddingInline: '2',
    borderRadius: 'sm',
    textStyle: 'small',
    fontWeight: 'medium',
    color: 'muted',
    cursor: 'pointer',
    transition: 'color {durations.fast}',
    _hover: { color: 'text' },
    '@media (pointer: coarse)': { minHeight: 'target', minWidth: 'target' },
  },
})

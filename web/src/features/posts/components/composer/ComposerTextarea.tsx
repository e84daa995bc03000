import { chakra } from '@chakra-ui/react'

/** The composer's text area: no frame of its own, and as high as what is in it. */
export const ComposerTextarea = chakra('textarea', {
  base: {
    display: 'block',
    width: '100%',
    minHeight: 'target',
    maxHeight: '60vh',
    paddingBlock: '2.5',
    fontSize: 'lg',
    lineHeight: 'normal',
    color: 'text',
    bg: 'transparent',
    resize: 'none',
    overflowY: 'auto',
    overflowWrap: 'anywhere',
    outline: 'none',
    borderBottomWidth: '1px',
    borderColor: 'transparent',
    _focusVisible: { outline: 'none', borderColor: 'focus' },
  },
})

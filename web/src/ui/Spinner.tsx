import { chakra } from '@chakra-ui/react'

const Ring = chakra('span', {
  base: {
    display: 'inline-block',
    width: '1.1em',
    height: '1.1em',
    flexShrink: 0,
    borderRadius: 'full',
    borderWidth: '2px',
    borderColor: 'currentColor',
    borderBottomColor: 'transparent',
    animation: 'spin 700ms linear infinite',
  },
})

/** Decorative: whoever shows it says in words what is going on. */
export function Spinner() {
  return <Ring aria-hidden />
}

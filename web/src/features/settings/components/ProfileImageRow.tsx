import { Box } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'

/** A picture of one's own: its name, what may be chosen, and the buttons for it. */
export function ProfileImageRow({
  title,
  hint,
  picture,
  above = false,
  children,
}: {
  title: string
  hint: string
  picture: ReactNode
  /** The picture stands above the words, as wide as they are. */
  above?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <Box
      role="group"
      aria-labelledby={id}
      display="flex"
      flexDirection={above ? 'column' : 'row'}
      alignItems={above ? 'stretch' : 'center'}
      gap={above ? '3' : { base: '4', md: '6' }}
    >
      {picture}
      <Box minWidth="0">
        <Box id={id} textStyle="label">
          {title}
        </Box>
        <Box textStyle="small" color="muted" marginTop="0.5">
          {hint}
        </Box>
        <Box display="flex" flexWrap="wrap" gap="2" marginTop="3">
          {children}
        </Box>
      </Box>
    </Box>
  )
}

import { type ReactNode, useRef } from 'react'
import { Button, type ButtonProps } from './Button'

/** A button that asks for one file. */
export function FileButton({
  accept,
  onFile,
  children,
  ...button
}: Omit<ButtonProps, 'onClick' | 'children'> & {
  /** Types that are offered; what was chosen may be another all the same. */
  accept: string
  onFile: (file: File) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const file = target.files?.[0]
          // The same file can be chosen again.
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button {...button} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}

import { type ReactNode, useRef } from 'react'
import { Button, type ButtonProps } from './Button'
import { IconButton } from './IconButton'

type Asking = {
  /** Types that are offered; what was chosen may be another all the same. */
  accept: string
  onFile: (file: File) => void
  children: ReactNode
}

/** Asks for one file when `ask` is called, once `input` stands on the page. */
function useFile({ accept, onFile }: Omit<Asking, 'children'>) {
  const field = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={field}
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
  )
  return { input, ask: () => field.current?.click() }
}

/** A button that asks for one file. */
export function FileButton({
  accept,
  onFile,
  children,
  ...button
}: Omit<ButtonProps, 'onClick' | 'children'> & Asking) {
  const { input, ask } = useFile({ accept, onFile })
  return (
    <>
      {input}
      <Button {...button} onClick={ask}>
        {children}
      </Button>
    </>
  )
}

/** The same with a sign in place of words, which `label` has. */
export function FileIconButton({
  accept,
  onFile,
  label,
  disabled,
  children,
}: Asking & { label: string; disabled: boolean }) {
  const { input, ask } = useFile({ accept, onFile })
  return (
    <>
      {input}
      <IconButton label={label} disabled={disabled} onClick={ask}>
        {children}
      </IconButton>
    </>
  )
}

import { type ReactNode, useRef } from 'react'
import { Button, type ButtonProps } from './Button'
import { IconButton } from './IconButton'

/** The `accept` value for images. */
export const imageTypes = 'image/jpeg,image/png,image/gif'

type FilePickerProps = {
  /** The types that the picker offers. The user can still choose a file of another type. */
  accept: string
  onFile: (file: File) => void
  children: ReactNode
}

/**
 * Returns a function that opens the browser's file picker, and the hidden input that the caller must render for it.
 *
 * @param onFile receives the first file and, with `multiple`, all files
 */
export function useFilePicker({
  accept,
  multiple,
  onFile,
}: {
  accept: string
  multiple?: boolean
  onFile: (file: File, files: readonly File[]) => void
}) {
  const inputRef = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={inputRef}
      type="file"
      hidden
      multiple={multiple}
      accept={accept}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])]
        // Otherwise, choosing the same file again would fire no event.
        target.value = ''
        if (files[0]) onFile(files[0], files)
      }}
    />
  )
  return { input, openPicker: () => inputRef.current?.click() }
}

/** Shows a button that opens the file picker for one file. */
export function FileButton({
  accept,
  onFile,
  children,
  ...button
}: Omit<ButtonProps, 'onClick' | 'children'> & FilePickerProps) {
  const { input, openPicker } = useFilePicker({ accept, onFile })
  return (
    <>
      {input}
      <Button {...button} onClick={openPicker}>
        {children}
      </Button>
    </>
  )
}

/** Shows an icon button that opens the file picker for one file. */
export function FileIconButton({
  accept,
  onFile,
  label,
  disabled,
  children,
}: FilePickerProps & { label: string; disabled: boolean }) {
  const { input, openPicker } = useFilePicker({ accept, onFile })
  return (
    <>
      {input}
      <IconButton label={label} disabled={disabled} onClick={openPicker}>
        {children}
      </IconButton>
    </>
  )
}

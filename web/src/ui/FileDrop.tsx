import { Box } from '@chakra-ui/react'
import { type DragEvent, type ReactNode, useState } from 'react'

/** Covers a drop target while a file is dragged over it. */
export function DropOverlay({ children }: { children: ReactNode }) {
  return (
    <Box
      position="absolute"
      inset="1.5"
      zIndex="raised"
      display="grid"
      placeItems="center"
      borderWidth="2px"
      borderStyle="dashed"
      borderColor="ember.ring"
      borderRadius="md"
      bg="glass"
      textStyle="label"
      color="ember.text"
      pointerEvents="none"
    >
      {children}
    </Box>
  )
}

/**
 * Accepts dropped files on the element that gets `handlers`.
 *
 * @returns `dragging`: whether files are being dragged over that element
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [dragging, setDragging] = useState(false)
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event)) return
    // Otherwise, the browser would replace the page with the file.
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setDragging(true)
  }
  return {
    dragging,
    handlers: {
      onDragEnter: onDragOver,
      onDragOver,
      onDragLeave: (event: DragEvent) => {
        const { relatedTarget } = event
        // The event also fires when the pointer enters a child element.
        if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)))
          setDragging(false)
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        // An ancestor of this element may also accept files.
        event.stopPropagation()
        setDragging(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files')
}

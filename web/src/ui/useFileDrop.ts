import { type DragEvent, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes files that are dropped; `dragging` while some are held over the element that gets the handlers. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [dragging, setDragging] = useState(false)
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    // Without it the browser would open the file in place of the page.
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setDragging(true)
  }
  return {
    dragging,
    handlers: {
      onDragEnter: over,
      onDragOver: over,
      onDragLeave: (event: DragEvent) => {
        const { relatedTarget } = event
        // Not when it only moved on to something within.
        if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget)))
          setDragging(false)
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        // What lies around it takes files, too.
        event.stopPropagation()
        setDragging(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

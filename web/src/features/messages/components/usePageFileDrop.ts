import { useEffect, useRef, useState } from 'react'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
/** What lies over the page takes files for itself, or none. */
const dialogs = '[role=dialog], [role=alertdialog]'

/**
 * Takes a file that is dropped anywhere on the page while mounted, unless something else takes it; true while one is
 * held over the page.
 */
export function usePageFileDrop(onFile: (file: File) => void): boolean {
  const [dragging, setDragging] = useState(false)
  const latest = useRef(onFile)
  useEffect(() => {
    latest.current = onFile
  }, [onFile])
  useEffect(() => {
    const isOurs = (event: DragEvent) =>
      hasFiles(event) && !event.defaultPrevented && document.querySelector(dialogs) === null
    const onOver = (event: DragEvent) => {
      if (!isOurs(event)) return
      // Without it the browser would open the file in place of the page.
      event.preventDefault()
      setDragging(true)
    }
    const onLeave = (event: DragEvent) => {
      // Not when it only moved on to something within the page.
      if (event.relatedTarget === null) setDragging(false)
    }
    const onDrop = (event: DragEvent) => {
      setDragging(false)
      if (!isOurs(event)) return
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file) latest.current(file)
    }
    document.addEventListener('dragover', onOver)
    document.addEventListener('dragleave', onLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onOver)
      document.removeEventListener('dragleave', onLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [])
  return dragging
}

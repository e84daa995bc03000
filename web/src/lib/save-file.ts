/** Milliseconds after which a browser has taken over a file that it was given. */
const takenOver = 60_000

/** Hands a file to the browser, to be kept. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), takenOver)
}

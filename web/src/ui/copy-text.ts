import { toast } from './toaster'

/**
 * Copies a text to the clipboard and reports the outcome in a toast. Fails on pages without HTTPS, which have no
 * clipboard.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied' })
  } catch {
    toast({ title: 'Error', description: 'It could not be copied.', tone: 'destructive' })
  }
}

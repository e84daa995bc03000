import { toast } from './toaster'

/** Puts a text into the clipboard, and says whether that worked: where the page did not come by https there is none. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied' })
  } catch {
    toast({ title: 'Error', description: 'It could not be copied.', tone: 'destructive' })
  }
}

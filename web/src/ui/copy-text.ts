import { t } from '@lingui/core/macro'
import { toast } from './toaster'

/**
 * Copies text to the clipboard and reports the outcome in a toast. Fails on pages without HTTPS, because browsers do
 * not give them access to the clipboard.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: t`Copied` })
  } catch {
    toast({
      title: t`Error`,
      description: t`Couldn't copy. Select the text and copy it yourself.`,
      tone: 'destructive',
    })
  }
}

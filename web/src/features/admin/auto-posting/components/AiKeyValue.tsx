import { Box } from '@chakra-ui/react'
import { copyText } from '@/ui/copy-text'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon, EyeIcon, EyeOffIcon } from '@/ui/icons'
import { useRevealAiKey } from './useRevealAiKey'

/** The key, masked, and in full for half a minute after a press that is recorded. */
export function AiKeyValue({ mask }: { mask: string }) {
  const { apiKey, reveal, hide, isPending } = useRevealAiKey()
  const shown = apiKey !== null
  return (
    <div>
      <Box
        display="flex"
        alignItems="center"
        bg="sunken"
        borderRadius="md"
        paddingInlineStart="4"
        minHeight="12"
      >
        <Box
          as="code"
          translate="no"
          flex="1"
          minWidth="0"
          paddingBlock="2"
          fontFamily="mono"
          fontSize="sm"
          wordBreak="break-all"
          aria-label={shown ? 'API Key' : 'API Key, masked'}
          role="group"
        >
          {apiKey ?? mask}
        </Box>
        {apiKey !== null && (
          <IconButton label="Copy API Key" onClick={() => void copyText(apiKey)}>
            <CopyIcon />
          </IconButton>
        )}
        <IconButton
          label={shown ? 'Hide API Key' : 'Show API Key'}
          // Not disabled while it is under way: it would lose the focus.
          aria-busy={isPending || undefined}
          onClick={shown ? hide : reveal}
        >
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      </Box>
      <Box role="status" textStyle="small" color="muted" marginTop="1.5">
        {shown
          ? 'It is recorded that you have seen this. It is hidden again in 30 seconds.'
          : 'Showing the key is recorded with your name.'}
      </Box>
    </div>
  )
}

import { Box } from '@chakra-ui/react'
import type { AutoRun } from '@contract/auto-posting.ts'
import { userTextParagraphs } from '@/ui/user-text-styles'

/** What was sent to the provider last, and what came back. */
export function RunTranscript({ run: { prompt, answer, inputTokens, outputTokens } }: { run: AutoRun }) {
  const messages = prompt ?? []
  return (
    <Box as="dl" display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="3" marginTop="4">
      {messages.map(({ role, content }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was sent stays in its order
        <Said key={at} name={roles[role] ?? role} words={content} />
      ))}
      {messages.length === 0 && <Said name="Prompt" words={null} />}
      <Said name="Answer" words={answer} />
      <Box textStyle="caption" color="muted" fontVariantNumeric="tabular-nums">
        <dt>Tokens</dt>
        <dd>
          {inputTokens.toLocaleString('en-US')} in, {outputTokens.toLocaleString('en-US')} out
        </dd>
      </Box>
    </Box>
  )
}

const roles: Record<string, string> = { system: 'Instructions', user: 'Prompt' }

function Said({ name, words }: { name: string; words: string | null }) {
  return (
    <div>
      <Box as="dt" textStyle="small" color="muted">
        {name}
      </Box>
      <Box
        as="dd"
        marginTop="1"
        padding="3.5"
        bg="sunken"
        borderRadius="md"
        textStyle="small"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        color={words ? undefined : 'muted'}
        {...userTextParagraphs}
      >
        {words || 'Nothing'}
      </Box>
    </div>
  )
}

import { Box, chakra } from '@chakra-ui/react'
import { AiKey, AiKeyRequest } from '@contract/auto-posting.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '@/lib/api'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { toast } from '@/ui/toaster'
import { aiKeyPath, aiKeyQuery } from '../api'
import { useUncachedRequest } from './useUncachedRequest'

/** No browser or password manager is to keep what is typed here, so it is no password to them; it is dots all the same. */
const secret = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
  css: { WebkitTextSecurity: 'disc' },
} as const

/** Asks for a key, the first or another one. */
export function AiKeyForm({ replaces, onDone }: { replaces: boolean; onDone: () => void }) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const { run, isPending } = useUncachedRequest(
    (form: AiKeyRequest) => api.post(aiKeyPath, form, AiKey),
    'The API key could not be saved. Please try again.',
  )
  // The button that opened it is gone.
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const form = AiKeyRequest.safeParse({ apiKey: typed })
    setWrong(form.error?.issues[0]?.message)
    if (!form.success) {
      field.current?.focus()
      return
    }
    void run((key) => {
      client.setQueryData(aiKeyQuery.queryKey, key)
      toast({ title: 'API Key Saved', description: 'It is kept encrypted.' })
      onDone()
    }, form.data)
  }
  return (
    <chakra.form noValidate autoComplete="off" display="grid" gap="4" onSubmit={submit}>
      <TextField
        ref={field}
        label="API Key"
        placeholder="sk-…"
        hint={replaces ? 'It takes the place of the one before.' : 'It is kept encrypted.'}
        error={wrong}
        value={typed}
        disabled={isPending}
        maxLength={500}
        onChange={({ target }) => {
          setTyped(target.value)
          setWrong(undefined)
        }}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        {...secret}
      />
      <Box display="flex" flexWrap="wrap" gap="2">
        <Button type="submit" variant="ember" size="sm" pending={isPending} pendingLabel="Saving…">
          Save API Key
        </Button>
        <Button variant="ghost" size="sm" disabled={isPending} onClick={onDone}>
          Cancel
        </Button>
      </Box>
    </chakra.form>
  )
}

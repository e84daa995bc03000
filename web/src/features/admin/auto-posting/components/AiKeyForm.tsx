import { Box, chakra } from '@chakra-ui/react'
import { AiKey, AiKeyRequest, AiKeyReveal } from '@contract/auto-posting.ts'
import { zodResolver } from '@hookform/resolvers/zod'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '@/lib/api'
import { errorMessage, fieldErrorText } from '@/lib/errors'
import { handleRequestError } from '@/lib/query-client'
import { Button } from '@/ui/Button'
import { copyText } from '@/ui/copy-text'
import { TextField } from '@/ui/Field'
import { IconButton } from '@/ui/IconButton'
import { CopyIcon, EyeIcon, EyeOffIcon } from '@/ui/icons'
import { toast } from '@/ui/toaster'
import { aiKeyPath, aiKeyQuery } from '../api'

/**
 * Keeps browsers and password managers from storing the key: the field is not a password field, and only CSS masks the
 * characters.
 */
const secretFieldProps = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
  css: { WebkitTextSecurity: 'disc' },
} as const

/** Shows the form that adds a key or replaces the current one. */
export function AiKeyForm({ isReplacement, onDone }: { isReplacement: boolean; onDone: () => void }) {
  const client = useQueryClient()
  const {
    register,
    handleSubmit,
    clearErrors,
    setFocus,
    formState: { errors },
  } = useForm({
    resolver: zodResolver(AiKeyRequest),
    defaultValues: { apiKey: '' },
    reValidateMode: 'onSubmit',
  })
  const { run, isPending } = useUncachedRequest(
    (form: AiKeyRequest) => api.post(aiKeyPath, form, AiKey),
    t`Couldn't save the API key. Try again.`,
  )
  // The button that opened the form is unmounted, so the focus moves to the field.
  useEffect(() => setFocus('apiKey'), [setFocus])
  const submit = handleSubmit((form) =>
    run((savedKey) => {
      client.setQueryData(aiKeyQuery.queryKey, savedKey)
      toast({ title: t`API Key Saved`, description: t`The key is stored encrypted.` })
      onDone()
    }, form),
  )
  return (
    <chakra.form noValidate autoComplete="off" display="grid" gap="4" onSubmit={submit}>
      <TextField
        label={t`API key`}
        placeholder="sk-…"
        hint={isReplacement ? t`Replaces the current key.` : t`The key is stored encrypted.`}
        error={fieldErrorText(errors.apiKey)}
        disabled={isPending}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
        {...secretFieldProps}
        {...register('apiKey', { onChange: () => clearErrors('apiKey') })}
      />
      <Box display="flex" flexWrap="wrap" gap="2">
        <Button type="submit" variant="ember" size="sm" pending={isPending} pendingLabel={t`Saving…`}>
          {t`Save API key`}
        </Button>
        <Button variant="ghost" size="sm" disabled={isPending} onClick={onDone}>
          {t`Cancel`}
        </Button>
      </Box>
    </chakra.form>
  )
}

/** Shows the masked key. A button reveals the full key for 30 seconds. The audit log records each reveal. */
export function AiKeyValue({ mask }: { mask: string }) {
  const { apiKey, reveal, hide, isPending } = useRevealAiKey()
  const isRevealed = apiKey !== null
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
          aria-label={isRevealed ? t`API key` : t`API key, masked`}
          role="group"
        >
          {apiKey ?? mask}
        </Box>
        {apiKey !== null && (
          <IconButton label={t`Copy API key`} onClick={() => void copyText(apiKey)}>
            <CopyIcon />
          </IconButton>
        )}
        <IconButton
          label={isRevealed ? t`Hide API key` : t`Show API key`}
          // Not disabled while the request is pending, because a disabled button loses focus.
          aria-busy={isPending || undefined}
          onClick={isRevealed ? hide : reveal}
        >
          {isRevealed ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      </Box>
      <Box role="status" textStyle="small" color="muted" marginTop="1.5">
        {isRevealed
          ? t`The audit log records that you viewed the key. It is hidden after 30 seconds.`
          : t`Viewing the key is recorded in the audit log.`}
      </Box>
    </div>
  )
}

const revealTimeoutMs = 30_000

/**
 * Loads the full key into the state of this component only. The key is discarded when it is hidden, when the timeout
 * expires, on unmount, and on `pagehide`, which keeps it out of the back/forward cache.
 */
function useRevealAiKey() {
  const [apiKey, setApiKey] = useState<string | null>(null)
  const { run, isPending } = useUncachedRequest(
    () => api.post(`${aiKeyPath}/reveal`, {}, AiKeyReveal),
    t`Couldn't load the API key. Try again.`,
  )
  /** Incremented to ignore the response to an earlier request. */
  const requestId = useRef(0)
  const hide = () => {
    requestId.current++
    setApiKey(null)
  }
  const reveal = () => {
    // A second request would discard the response to the first one.
    if (isPending) return
    const currentId = ++requestId.current
    void run((response) => requestId.current === currentId && setApiKey(response.apiKey))
  }
  useEffect(() => {
    const discard = () => {
      requestId.current++
      setApiKey(null)
    }
    window.addEventListener('pagehide', discard)
    return () => {
      window.removeEventListener('pagehide', discard)
      requestId.current++
    }
  }, [])
  useEffect(() => {
    if (apiKey === null) return
    const timer = setTimeout(() => setApiKey(null), revealTimeoutMs)
    return () => clearTimeout(timer)
  }, [apiKey])
  return { apiKey, reveal, hide, isPending }
}

/**
 * Returns a function that sends a request that contains or returns a secret. Unlike a mutation, the function caches
 * neither the arguments nor the response. Only one request runs at a time.
 *
 * @param fallback the error message if the server sends none
 */
function useUncachedRequest<Args extends unknown[], Response>(
  send: (...args: Args) => Promise<Response>,
  fallback: string,
) {
  const [isPending, setPending] = useState(false)
  const run = async (onResponse: (response: Response) => void, ...args: Args) => {
    if (isPending) return
    setPending(true)
    try {
      onResponse(await send(...args))
    } catch (error) {
      handleRequestError(error, { errorMessage: errorMessage(error, fallback) })
    } finally {
      setPending(false)
    }
  }
  return { run, isPending }
}

import { Box } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { Spinner } from './Skeleton'
import { InlineError } from './states'
import { showLoadError } from './toaster'

/** The loaded modules, by the function that loads them. */
const modules = new WeakMap<() => Promise<object>, object>()

/**
 * Loads a module and renders `children` with it. If that fails, for example because the browser is offline, offers to
 * try again. The error of a component from React's `lazy` would replace the whole screen.
 */
export function LazyPart<Module extends object>({
  load,
  minHeight,
  onError,
  children,
}: {
  /** Must be the same function in every render. */
  load: () => Promise<Module>
  /** The height until the module is loaded. If it is set, a spinner is shown. */
  minHeight?: string
  /** For a dialog: closes it if the module cannot be loaded. A toast then shows the error. */
  onError?: () => void
  children: (module: Module) => ReactNode
}) {
  const [state, setState] = useState(() => modules.get(load) as Module | 'failed' | undefined)
  const start = () =>
    load().then(
      (module) => {
        modules.set(load, module)
        setState(module)
      },
      () => {
        if (!onError) return setState('failed')
        showLoadError()
        onError()
      },
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads only once
  useEffect(() => {
    if (!state) void start()
  }, [])
  if (typeof state === 'object') return children(state)
  return (
    <Box display="grid" placeItems="center" minHeight={minHeight}>
      {/* During a retry, the error stays, so that the pressed button keeps focus. */}
      {state ? <InlineError text={t`Couldn't load this`} onRetry={start} /> : minHeight && <Spinner />}
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import type { AiKey } from '@contract/auto-posting.ts'
import { useEffect, useRef, useState } from 'react'
import { fullTime } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { AlertIcon } from '@/ui/icons'
import { TextLink } from '@/ui/layout'
import { useRemoveAiKey, useTestRun } from '../api'
import { describeRuns } from '../model'
import { AiKeyForm } from './AiKeyForm'
import { AiKeyValue } from './AiKeyValue'

/** What can be done with the key, or a way to add one. */
export function AiKeyControls({ aiKey, toHeading }: { aiKey: AiKey; toHeading: () => void }) {
  const [editing, setEditing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const [closed, setClosed] = useState(0)
  // The form had the focus; what opens it stands there again, another button once there is a key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another button then
  useEffect(() => {
    if (closed > 0 && document.activeElement === document.body) opener.current?.focus()
  }, [closed, aiKey.hasKey])
  const close = () => {
    setEditing(false)
    setClosed((times) => times + 1)
  }
  if (editing) return <AiKeyForm replaces={aiKey.hasKey} onDone={close} />
  if (!aiKey.hasKey) {
    return (
      <Button ref={opener} variant="ember" size="sm" onClick={() => setEditing(true)}>
        Add API Key
      </Button>
    )
  }
  return (
    <Box display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="4">
      {aiKey.refusedAt && <Refused at={aiKey.refusedAt} />}
      <AiKeyValue key={aiKey.setAt} mask={aiKey.apiKey ?? ''} />
      <Actions
        edit={
          <Button ref={opener} variant="outline" size="sm" onClick={() => setEditing(true)}>
            Edit
          </Button>
        }
        onRemoved={toHeading}
      />
    </Box>
  )
}

function Actions({ edit, onRemoved }: { edit: React.ReactNode; onRemoved: () => void }) {
  const [asking, setAsking] = useState(false)
  const { test, isPending: testing, round } = useTestRun()
  const { remove, isPending: removing } = useRemoveAiKey(() => setAsking(false))
  return (
    <div>
      <Box display="flex" flexWrap="wrap" gap="2">
        {edit}
        <Button variant="outline" size="sm" pending={testing} pendingLabel="Posting…" onClick={test}>
          Test Auto-Post
        </Button>
        <Button variant="ghost" size="sm" color="danger.text" onClick={() => setAsking(true)}>
          Remove
        </Button>
      </Box>
      {(testing || round) && (
        <Box textStyle="small" color="muted" marginTop="3" overflowWrap="anywhere">
          {testing ? (
            'One post is written for everyone who has auto-posting on and has agreed. It may take a minute.'
          ) : (
            <>
              {round && `Last test: ${describeRuns(round.runs)} `}
              <TextLink to={paths.admin.getHref('automation')} replace>
                See every run
              </TextLink>
            </>
          )}
        </Box>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => !removing && setAsking(false)}
        onConfirm={() => remove(undefined, { onSuccess: () => setTimeout(onRemoved) })}
        pending={removing}
        title="Remove the API key?"
        text="Nothing is written in anybody’s name until there is another one. Drafts that wait stay."
        confirmLabel="Remove API Key"
      />
    </div>
  )
}

function Refused({ at }: { at: string }) {
  return (
    <Box
      role="alert"
      display="flex"
      gap="2.5"
      padding="3.5"
      bg="danger.wash"
      color="danger.text"
      borderRadius="md"
      textStyle="small"
    >
      <Box as="span" fontSize="lg" flexShrink={0}>
        <AlertIcon />
      </Box>
      <span>
        The provider does not take this API key, since <time dateTime={at}>{fullTime(at)}</time>. Auto-posting
        rests until there is another one, or a test shows that it is taken again.
      </span>
    </Box>
  )
}

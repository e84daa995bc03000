import { Box } from '@chakra-ui/react'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import type { SettingsForm } from './useSettingsForm'

/** Saves a form of settings, or takes back what was typed; asks before the page is left with it. */
export function SettingsFormFooter({ form: { isDirty, isPending, discard, guard } }: { form: SettingsForm }) {
  return (
    <>
      <Box display="flex" flexWrap="wrap" justifyContent="flex-end" gap="3">
        {isDirty && (
          <Button variant="ghost" onClick={discard} disabled={isPending}>
            Discard
          </Button>
        )}
        <Button
          type="submit"
          variant={isDirty ? 'ember' : 'quiet'}
          disabled={!isDirty}
          pending={isPending}
          pendingLabel="Saving…"
        >
          Save
        </Button>
      </Box>
      <ConfirmDialog
        open={guard.asking}
        title="Leave without saving?"
        text="You changed settings of this instance and have not saved them yet."
        confirmLabel="Leave"
        onClose={guard.stay}
        onConfirm={() => {
          guard.leave()
          discard()
        }}
      />
    </>
  )
}

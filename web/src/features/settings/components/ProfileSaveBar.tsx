import { Box } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { bottomBarAttribute } from '@/ui/toaster'
import { useIsProfileDirty, useProfileForm } from './ProfileFormProvider'

/** Stays at the lower edge while something is not saved, above a phone's navigation. */
export function ProfileSaveBar() {
  const unsaved = useIsProfileDirty()
  const { pending, discard } = useProfileForm()
  const bar = useRef<HTMLDivElement>(null)
  const mark = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  // With the bar go its buttons: whoever pressed one goes on at the form's end.
  useEffect(() => {
    if (unsaved || !hadFocus.current) return
    hadFocus.current = false
    if (document.activeElement === document.body) mark.current?.focus({ preventScroll: true })
  }, [unsaved])
  // While it saved, its button was disabled and could not keep the focus; a field that was refused has it by now.
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!pending && hadFocus.current && document.activeElement === document.body) button.current?.focus()
  }, [pending])
  return (
    <>
      <VisuallyHidden role="status">{unsaved ? 'You have unsaved changes.' : ''}</VisuallyHidden>
      <div ref={mark} tabIndex={-1} />
      {unsaved && (
        <Box
          ref={bar}
          {...bottomBarAttribute}
          role="group"
          aria-label="Unsaved changes"
          onFocus={() => {
            hadFocus.current = true
          }}
          onBlur={(event) => {
            // Where it goes to nothing, the button it was on has been disabled.
            if (event.relatedTarget && !bar.current?.contains(event.relatedTarget)) hadFocus.current = false
          }}
          position="sticky"
          zIndex="raised"
          bottom={{ base: 'calc({sizes.bottomBar} + env(safe-area-inset-bottom) + 0.5rem)', md: '4' }}
          display="flex"
          alignItems="center"
          gap="3"
          marginTop="4"
          marginInline={{ base: '2', md: '0' }}
          paddingBlock="2.5"
          paddingInlineStart={{ base: '4', md: '5' }}
          paddingInlineEnd="2.5"
          bg="raised"
          borderWidth="1px"
          borderColor="hairline"
          borderRadius="lg"
          boxShadow="high"
          animation="appear 160ms {easings.out}"
        >
          <Box flex="1" minWidth="0" textStyle={{ base: 'small', md: 'body' }} color="muted">
            Unsaved changes
          </Box>
          <Button variant="ghost" onClick={discard} disabled={pending}>
            Discard
          </Button>
          <Button ref={button} variant="ember" type="submit" pending={pending} pendingLabel="Saving…">
            Save changes
          </Button>
        </Box>
      )}
    </>
  )
}

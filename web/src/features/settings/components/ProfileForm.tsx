import { Box, chakra } from '@chakra-ui/react'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { paths, screenAt } from '@/lib/paths'
import { useTextDraft } from '@/lib/storage'
import { useCurrentUser } from '@/session/session'
import { Button } from '@/ui/Button'
import { CheckIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { useRestoreFocus } from '@/ui/restore-focus'
import { bottomBarAttribute } from '@/ui/toaster'
import { type ProfileField, profileFields } from '../model'
import { type FormTopic, findTopic, topicOfField } from '../topics'
import { useChangedTopics, useProfileFields, useProfileForm } from './ProfileFormProvider'

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: { base: '2', md: '4' },
    // The save bar must not cover the focused field.
    '& :is(input, select, textarea)': { scrollMarginBlock: '6rem 9rem' },
    '& :is(input:not([type=checkbox], [type=file]), select)': {
      minHeight: { md: '10' },
      '@media (pointer: coarse)': { minHeight: 'target' },
    },
  },
})

/**
 * Shows one topic of the profile form, with the bar that saves the changes to all topics of the form. If a field of
 * another topic is invalid, saving opens that topic. `?field=` focuses a field.
 */
export function ProfileForm({
  topic,
  label,
  children,
}: {
  topic: FormTopic
  label: string
  children: ReactNode
}) {
  const { save } = useProfileForm()
  const { setFocus, getFieldState } = useProfileFields()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const requestedField = params.get('field')
  // Removes the field from the URL, so that a reload does not focus it again.
  useEffect(() => {
    if (requestedField === null) return
    const name = profileFields.find((field) => field === requestedField)
    if (name) setFocus(name)
    void navigate(paths.settings.getHref(topic), { replace: true, preventScrollReset: true })
  }, [requestedField, topic, setFocus, navigate])
  const submit = async () => {
    if (await save()) return
    const invalidFields = profileFields.filter((name) => getFieldState(name).invalid)
    // The user may have opened another topic or page while the profile was being saved.
    const isShown = (name: ProfileField) => document.getElementsByName(name).length > 0
    const field = invalidFields.find(isShown) ?? invalidFields[0]
    if (!field) return
    if (isShown(field)) setFocus(field)
    else if (screenAt(window.location.pathname) === 'settings')
      void navigate(paths.settings.getHref(topicOfField(field), field))
  }
  return (
    <Form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
      <Box hideFrom="lg" paddingInline={{ base: '4', md: '0' }}>
        <SaveState />
      </Box>
      <ProfileSaveBar topic={topic} />
    </Form>
  )
}

/**
 * Shows that all changes to the profile form and the welcome message are saved. While there are unsaved changes, a save
 * button is shown instead.
 */
export function SaveState() {
  const { pending } = useProfileForm()
  const { user } = useCurrentUser()
  const welcomeMessageDraft = useTextDraft(user?.id ?? '', 'draft:welcome-message').text
  const isDirty = useChangedTopics().size > 0 || (user?.isCreator && welcomeMessageDraft !== null)
  if (isDirty || pending) return null
  return (
    <Box display="flex" alignItems="center" gap="1.5" textStyle="small" color="muted">
      <CheckIcon />
      {t`All changes saved`}
    </Box>
  )
}

/**
 * Shows the save and discard buttons at the bottom of the viewport while the form has unsaved changes. The buttons
 * apply to all topics, so the bar names the changed topics if a topic other than `topic` has changes. A toast says that
 * the changes were saved.
 */
function ProfileSaveBar({ topic }: { topic: FormTopic }) {
  const changedTopics = [...useChangedTopics()]
  const isDirty = changedTopics.length > 0
  const names = changedTopics.flatMap((name) => findTopic(name) ?? []).map(({ label }) => t(label))
  const list = new Intl.ListFormat(i18n.locales ?? i18n.locale).format(names)
  const { pending, discard } = useProfileForm()
  const bar = useRef<HTMLDivElement>(null)
  const formEnd = useRef<HTMLDivElement>(null)
  const saveButton = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  // The bar disappears together with the focused button, so the focus moves to the end of the form.
  useRestoreFocus(isDirty, () => (hadFocus.current ? formEnd.current : null))
  // The save button loses focus because it is disabled while saving. It receives focus back unless an invalid field
  // takes it.
  useRestoreFocus(pending, () => (hadFocus.current ? saveButton.current : null))
  return (
    <>
      <VisuallyHidden role="status">{isDirty && t`You have unsaved changes.`}</VisuallyHidden>
      <Box
        ref={formEnd}
        tabIndex={-1}
        // Not a row of the form's grid.
        position="absolute"
        onFocus={() => {
          hadFocus.current = false
        }}
      />
      {(isDirty || pending) && (
        <Box
          ref={bar}
          {...bottomBarAttribute}
          role="group"
          aria-label={t`Unsaved changes`}
          onFocus={() => {
            hadFocus.current = true
          }}
          onBlur={(event) => {
            // An event without a related target means that the focused button was disabled.
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
            {isDirty &&
              (changedTopics.every((name) => name === topic)
                ? t`Unsaved changes`
                : t`Unsaved changes in ${list}`)}
          </Box>
          {isDirty && (
            <Button variant="ghost" onClick={discard} disabled={pending}>
              {t`Discard`}
            </Button>
          )}
          <Button
            ref={saveButton}
            variant="ember"
            type="submit"
            disabled={!isDirty}
            pending={pending}
            pendingLabel={t`Saving…`}
          >
            {t`Save changes`}
          </Button>
        </Box>
      )}
    </>
  )
}

import { chakra } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useProfileFields, useProfileForm } from '../profile/ProfileFormProvider'
import { profileNames } from '../profile/values'
import { ProfileImages } from './images/ProfileImages'
import { AboutSection } from './profile/AboutSection'
import { IdentitySection } from './profile/IdentitySection'
import { LinksSection } from './profile/LinksSection'
import { CountrySection, CreatorSection } from './profile/MoreSections'
import { SaveBar } from './profile/SaveBar'

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: { base: '2', md: '4' },
    // What gets the focus is not covered by the bar.
    '& :is(input, select, textarea)': { scrollMarginBlock: '6rem 9rem' },
  },
})

/** All that a person tells about themselves, saved as a whole. */
export function ProfileTab() {
  const { save } = useProfileForm()
  const { getFieldState, setFocus } = useProfileFields()
  // Come back to a form that was refused from another tab: the focus goes to what is wrong with it.
  useEffect(() => {
    const wrong = profileNames.find((name) => getFieldState(name).invalid)
    if (wrong) setFocus(wrong)
  }, [getFieldState, setFocus])
  return (
    <Form
      noValidate
      aria-label="Profile"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <ProfileImages />
      <IdentitySection />
      <AboutSection />
      <LinksSection />
      <CountrySection />
      <CreatorSection />
      <SaveBar />
    </Form>
  )
}

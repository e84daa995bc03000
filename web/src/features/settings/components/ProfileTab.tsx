import { chakra } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { profileFields } from '../model'
import { AboutSection } from './AboutSection'
import { LinksSection } from './LinksSection'
import { CountrySection, CreatorSection } from './MoreSections'
import { useProfileFields, useProfileForm } from './ProfileFormProvider'
import { ProfileImages } from './ProfileImages'
import { ProfileSaveBar } from './ProfileSaveBar'
import { IdentitySection } from './ProfileSections'

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: { base: '2', md: '4' },
    // What gets the focus is not covered by the bar.
    '& :is(input, select, textarea)': { scrollMarginBlock: '6rem 9rem' },
  },
})

/** All that a person tells about themselves, saved as a whole. `autoPosts` leads to what a program writes for them. */
export function ProfileTab({ autoPosts }: { autoPosts: ReactNode }) {
  const { save } = useProfileForm()
  const { setFocus } = useProfileFields()
  const [params, setParams] = useSearchParams()
  const wanted = params.get('field')
  // Once: the field is taken out of the address again, so that a reload does not lead back there.
  useEffect(() => {
    if (wanted === null) return
    const name = profileFields.find((one) => one === wanted)
    if (name) setFocus(name)
    setParams({ tab: 'profile' }, { replace: true, preventScrollReset: true })
  }, [wanted, setFocus, setParams])
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
      <CreatorSection autoPosts={autoPosts} />
      <ProfileSaveBar />
    </Form>
  )
}

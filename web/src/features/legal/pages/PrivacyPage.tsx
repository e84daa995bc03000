import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { ContactEmail, LegalPage, type LegalSection } from '../components/LegalPage'

const sections: LegalSection[] = [
  {
    id: 'collect',
    title: 'What we collect',
    body: (
      <ul>
        <li>What you give us: name, username, email address, phone number, profile details and pictures.</li>
        <li>What you make here: posts, comments, messages, and whom you follow.</li>
        <li>
          What comes with use: pages viewed, device and browser, approximate location from the network
          address.
        </li>
        <li>What payments need: amounts and times. Card details stay with the payment provider.</li>
      </ul>
    ),
  },
  {
    id: 'use',
    title: 'How we use it',
    body: (
      <p>
        To run {appName} and keep it safe, to show you what you asked for, to pay creators, to answer you, and
        to meet our legal duties.
      </p>
    ),
  },
  {
    id: 'sharing',
    title: 'Whom we share it with',
    body: (
      <p>
        With other people, as your privacy settings allow; with providers who work for us, such as payment and
        hosting; of creators who agreed to it, their name, bio and public posts with an AI provider that
        writes posts for them; and with authorities where the law requires it. We do not sell your data.
      </p>
    ),
  },
  {
    id: 'protection',
    title: 'How we protect it',
    body: (
      <p>
        With encrypted connections, limited access and regular review. No system is perfectly safe, so please
        use a password that you use nowhere else.
      </p>
    ),
  },
  {
    id: 'choices',
    title: 'Your choices',
    body: (
      <ul>
        <li>Cookies: accept or reject them in the banner on the start page, or in your browser.</li>
        <li>Email: use the unsubscribe link in any mail.</li>
        <li>SMS: answer STOP.</li>
        <li>Push: switch notifications off in your browser or device.</li>
      </ul>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        {appName} does not target anyone under 18, and we do not knowingly collect their data. Tell us if you
        think that we did, and we will delete it.
      </p>
    ),
  },
  {
    id: 'identity',
    title: 'Identity and age verification',
    body: (
      <>
        <p>
          Where we must make sure who somebody is or how old they are, a third-party provider does so for us.
        </p>
        <p>
          Biometric data used for that is kept no longer than it is needed, or until three years of
          inactivity, whichever comes first.
        </p>
      </>
    ),
  },
  {
    id: 'where',
    title: 'Where data is processed',
    body: <p>Your data is processed in the United States.</p>,
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about your data, or a wish to see, correct or delete it: write to{' '}
        <ContactEmail name="privacy" />.
      </p>
    ),
  },
]

/** `/privacy`: an excerpt of the privacy policy. */
export default function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy Policy"
      intro={<p>What {appName} learns about you, what happens with it, and what you can decide.</p>}
      sections={sections}
      relatedPage={{ title: 'Terms of Service', href: paths.terms.getHref() }}
    />
  )
}

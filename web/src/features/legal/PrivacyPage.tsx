import { appName } from '@/appName'
import { TextAnchor } from '@/ui/layout'
import { LegalPage, Section } from './LegalPage'

/** The part of the address before the at-sign is fixed; the host is wherever this server stands. */
function privacyAddress(): string {
  return `privacy@${window.location.hostname}`
}

/** An excerpt of the privacy policy. */
export default function PrivacyPage() {
  const address = privacyAddress()
  return (
    <LegalPage title="Privacy Policy">
      <Section title="What we collect">
        <ul>
          <li>
            What you give us: name, username, email address, phone number, profile details and pictures.
          </li>
          <li>What you make here: posts, comments, messages, and whom you follow.</li>
          <li>
            What comes with use: pages viewed, device and browser, approximate location from the network
            address.
          </li>
          <li>What payments need: amounts and times. Card details stay with the payment provider.</li>
        </ul>
      </Section>
      <Section title="How we use it">
        <p>
          To run {appName} and keep it safe, to show you what you asked for, to pay creators, to answer you,
          and to meet our legal duties.
        </p>
      </Section>
      <Section title="Whom we share it with">
        <p>
          With other people, as your privacy settings allow; with providers who work for us, such as payment
          and hosting; and with authorities where the law requires it. We do not sell your data.
        </p>
      </Section>
      <Section title="How we protect it">
        <p>
          With encrypted connections, limited access and regular review. No system is perfectly safe, so
          please use a password that you use nowhere else.
        </p>
      </Section>
      <Section title="Your choices">
        <ul>
          <li>Cookies: accept or reject them in the banner on the start page, or in your browser.</li>
          <li>Email: use the unsubscribe link in any mail.</li>
          <li>SMS: answer STOP.</li>
          <li>Push: switch notifications off in your browser or device.</li>
        </ul>
      </Section>
      <Section title="Children">
        <p>
          {appName} does not target anyone under 18, and we do not knowingly collect their data. Tell us if
          you think that we did, and we will delete it.
        </p>
      </Section>
      <Section title="Identity and age verification">
        <p>
          Where we must make sure who somebody is or how old they are, a third-party provider does so for us.
          Biometric data used for that is kept no longer than needed, and never longer than three years of
          inactivity.
        </p>
      </Section>
      <Section title="Where data is processed">
        <p>Your data is processed in the United States.</p>
      </Section>
      <Section title="Contact">
        <p>
          Write to <TextAnchor href={`mailto:${address}`}>{address}</TextAnchor>.
        </p>
      </Section>
    </LegalPage>
  )
}

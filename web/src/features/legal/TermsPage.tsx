import { appName } from '@/appName'
import { LegalPage, Section } from './LegalPage'

/** An excerpt of the general terms; support sends the whole text. */
export default function TermsPage() {
  return (
    <LegalPage title="Terms of Service">
      <Section title="Before you start">
        <p>
          These are general terms for using {appName}. By creating an account or using {appName} you agree to
          them.
        </p>
        <ul>
          <li>{appName} is for adults only. You must be 18 or older to use it.</li>
          <li>You may not use {appName} if an account of yours was suspended or removed before.</li>
          <li>
            {appName} is provided as it is. We do not promise that it is always available or free of faults,
            and we do not vouch for what people publish on it.
          </li>
          <li>
            Disputes are settled by individual arbitration rather than in court, except where the law of your
            country says otherwise.
          </li>
        </ul>
      </Section>
      <Section title="1. What we do">
        <p>
          {appName} is a place where creators publish content, earn from it and build a community, and where
          people follow them, read, watch and talk with them. Creators decide what they publish and what it
          costs. We are not a party to what people agree on between themselves.
        </p>
      </Section>
      <Section title="2. Your account">
        <ul>
          <li>Give your real details, keep them up to date, and have one account only.</li>
          <li>Keep your password to yourself. What happens under your account is your responsibility.</li>
          <li>
            You can close your account at any time. We may suspend or remove accounts that break these terms.
          </li>
        </ul>
      </Section>
      <Section title="3. Acceptable conduct">
        <p>You may not publish or send:</p>
        <ul>
          <li>harmful or violent content, threats, or calls for either;</li>
          <li>impersonation of somebody else, or deepfakes that are not disclosed as such;</li>
          <li>nudity;</li>
          <li>sexual content that is non-consensual or unwanted.</li>
        </ul>
      </Section>
      <Section title="The full terms">
        <p>This page is an excerpt. The full terms are available from support.</p>
      </Section>
    </LegalPage>
  )
}

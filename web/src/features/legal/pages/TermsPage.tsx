import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { ContactEmail, LegalPage, type LegalSection } from '../components/LegalPage'

const sections: LegalSection[] = [
  {
    id: 'before',
    title: 'Before you start',
    body: (
      <ul>
        <li>{appName} is for adults only. You must be 18 or older to use it.</li>
        <li>You may not use {appName} if an account of yours was suspended or removed before.</li>
      </ul>
    ),
  },
  {
    id: 'disclaimers',
    title: 'Disclaimers',
    body: (
      <p>
        {appName} is provided as it is. We do not promise that it is always available or free of faults, and
        we do not vouch for what people publish on it.
      </p>
    ),
  },
  {
    id: 'arbitration',
    title: 'Arbitration',
    body: (
      <p>
        Disputes are settled by individual arbitration rather than in court, except where the law of your
        country says otherwise.
      </p>
    ),
  },
  {
    id: 'what-we-do',
    title: '1. What we do',
    body: (
      <p>
        {appName} is a place where creators publish content, earn from it and build a community, and where
        people follow them, read, watch and talk with them. Creators decide what they publish and what it
        costs. We are not a party to what people agree on between themselves.
      </p>
    ),
  },
  {
    id: 'account',
    title: '2. Your account',
    body: (
      <ul>
        <li>Give your real details, keep them up to date, and have one account only.</li>
        <li>Keep your password to yourself. What happens under your account is your responsibility.</li>
        <li>
          You can close your account at any time. We may suspend or remove accounts that break these terms.
        </li>
      </ul>
    ),
  },
  {
    id: 'conduct',
    title: '3. Acceptable conduct',
    body: (
      <>
        <p>You may not publish or send:</p>
        <ul>
          <li>harmful or violent content, threats, or calls for either;</li>
          <li>impersonation of somebody else, or deepfakes that are not disclosed as such;</li>
          <li>nudity;</li>
          <li>sexual content that is non-consensual or unwanted.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'full',
    title: 'The full terms',
    body: (
      <p>
        This page is an excerpt. Full terms are available from support: write to{' '}
        <ContactEmail name="support" />.
      </p>
    ),
  },
]

/** `/terms`: an excerpt of the terms of service. Support sends the full text. */
export default function TermsPage() {
  return (
    <LegalPage
      title="Terms of Service"
      intro={
        <p>
          These are general terms for using {appName}. By creating an account or using {appName} you agree to
          them.
        </p>
      }
      sections={sections}
      relatedPage={{ title: 'Privacy Policy', href: paths.privacy.getHref() }}
    />
  )
}

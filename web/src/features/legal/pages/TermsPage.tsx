import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { ContactEmail, LegalPage, type LegalSection } from '../components/LegalPage'

const getSections = (): LegalSection[] => [
  {
    id: 'before',
    title: t`Before you start`,
    body: (
      <ul>
        <li>{t`${appName} is for adults only. You must be 18 or older to use it.`}</li>
        <li>{t`You may not use ${appName} if we have suspended or removed an account of yours before.`}</li>
      </ul>
    ),
  },
  {
    id: 'disclaimers',
    title: t`Disclaimers`,
    body: (
      <p>
        <Trans>
          {appName} is provided “as is”. We do not guarantee that it is always available or free of errors,
          and we are not responsible for what people publish on it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'arbitration',
    title: t`Arbitration`,
    body: (
      <p>
        <Trans>
          Disputes are resolved by individual arbitration rather than in court, except where the law of your
          country requires otherwise.
        </Trans>
      </p>
    ),
  },
  {
    id: 'what-we-do',
    title: t`1. What we do`,
    body: (
      <p>
        <Trans>
          {appName} is a place where creators publish content, earn from it and build a community, and where
          people follow them, view their content and talk with them. Creators decide what they publish and
          what it costs. We are not a party to agreements between users.
        </Trans>
      </p>
    ),
  },
  {
    id: 'account',
    title: t`2. Your account`,
    body: (
      <ul>
        <li>{t`Provide accurate details, keep them up to date, and have only one account.`}</li>
        <li>{t`Keep your password secret. You are responsible for what happens under your account.`}</li>
        <li>
          {t`You can close your account at any time. We may suspend or remove accounts that violate these terms.`}
        </li>
      </ul>
    ),
  },
  {
    id: 'conduct',
    title: t`3. Acceptable conduct`,
    body: (
      <>
        <p>{t`You may not publish or send:`}</p>
        <ul>
          <li>{t`harmful or violent content, threats, or incitement to violence;`}</li>
          <li>{t`impersonation of another person, or undisclosed deepfakes;`}</li>
          <li>{t`nudity;`}</li>
          <li>{t`sexual content that is non-consensual or unwanted.`}</li>
        </ul>
      </>
    ),
  },
  {
    id: 'full',
    title: t`The full terms`,
    body: (
      <p>
        <Trans>
          This page is an excerpt. Full terms are available from support: write to{' '}
          <ContactEmail name="support" />.
        </Trans>
      </p>
    ),
  },
]

/** `/terms`: an excerpt of the terms of service. Support sends the full text. */
export default function TermsPage() {
  return (
    <LegalPage
      title={t`Terms of Service`}
      intro={
        <p>
          <Trans>
            These are the general terms for using {appName}. By creating an account or using {appName}, you
            agree to them.
          </Trans>
        </p>
      }
      sections={getSections()}
      lastUpdated={new Date('2025-07-02')}
      relatedPage={{ title: t`Privacy Policy`, href: paths.privacy.getHref() }}
    />
  )
}

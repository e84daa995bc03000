import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { appName } from '@/lib/config'
import { paths } from '@/lib/paths'
import { ContactEmail, LegalPage, type LegalSection } from '../components/LegalPage'

const getSections = (): LegalSection[] => [
  {
    id: 'collect',
    title: t`What we collect`,
    body: (
      <ul>
        <li>
          {t`Information you give us: name, username, email address, phone number, profile details and photos.`}
        </li>
        <li>{t`Content and activity: posts, comments, messages, and the people you follow.`}</li>
        <li>{t`Usage data: posts viewed, devices and browsers, and the IP addresses of your sign-ins.`}</li>
        <li>{t`Payment data: amounts and times. Card details stay with the payment provider.`}</li>
      </ul>
    ),
  },
  {
    id: 'use',
    title: t`How we use it`,
    body: (
      <p>
        <Trans>
          To run {appName} and keep it safe, to show you what you ask for, to pay creators, to answer you, and
          to meet our legal obligations.
        </Trans>
      </p>
    ),
  },
  {
    id: 'sharing',
    title: t`Who we share it with`,
    body: (
      <>
        <p>{t`We do not sell your data. We share it with:`}</p>
        <ul>
          <li>{t`other people, as your privacy settings allow;`}</li>
          <li>{t`providers who work for us, such as payment and hosting providers;`}</li>
          <li>
            <Trans>
              an AI provider, if you are a creator and agree that it writes posts for you: your name, bio and
              public posts;
            </Trans>
          </li>
          <li>{t`authorities, where the law requires it.`}</li>
        </ul>
      </>
    ),
  },
  {
    id: 'protection',
    title: t`How we protect it`,
    body: (
      <p>
        <Trans>
          With encrypted connections, encrypted payout details and limited access. No system is completely
          secure, so please use a password that you don't use anywhere else.
        </Trans>
      </p>
    ),
  },
  {
    id: 'choices',
    title: t`Your choices`,
    body: (
      <ul>
        <li>{t`Cookies: accept or reject them in the banner on the home page, or in your browser.`}</li>
        <li>
          {t`Email: use the unsubscribe link in any email about notifications, or turn these emails off in Settings. Emails about your sign-ins, password, email address and payouts protect your account and have no such link.`}
        </li>
        <li>
          {t`Browser notifications: turn them off in Settings or in your browser. They only appear while a page of ${appName} is open.`}
        </li>
        <li>{t`Your data: export it, or delete your account, in Settings.`}</li>
      </ul>
    ),
  },
  {
    id: 'children',
    title: t`Children`,
    body: (
      <p>
        <Trans>
          {appName} does not target anyone under 18, and we do not knowingly collect their data. If you think
          that we have, let us know and we will delete it.
        </Trans>
      </p>
    ),
  },
  {
    id: 'identity',
    title: t`Identity and age`,
    body: (
      <p>
        <Trans>
          You confirm that you are 18 or older when you register. We do not verify your identity or age, and
          we collect no identity documents and no biometric data.
        </Trans>
      </p>
    ),
  },
  {
    id: 'where',
    title: t`Where data is processed`,
    body: (
      <p>
        <Trans>
          On the servers that run {appName}, and with the providers named above. Write to us to learn in which
          countries they are.
        </Trans>
      </p>
    ),
  },
  {
    id: 'contact',
    title: t`Contact`,
    body: (
      <p>
        <Trans>
          For questions about your data, or to access, correct or delete it, write to{' '}
          <ContactEmail name="privacy" />.
        </Trans>
      </p>
    ),
  },
]

/** `/privacy`: an excerpt of the privacy policy. */
export default function PrivacyPage() {
  return (
    <LegalPage
      title={t`Privacy Policy`}
      intro={<p>{t`What ${appName} knows about you, how we use it, and the choices you have.`}</p>}
      sections={getSections()}
      lastUpdated={new Date('2026-11-23')}
      relatedPage={{ title: t`Terms of Service`, href: paths.terms.getHref() }}
    />
  )
}

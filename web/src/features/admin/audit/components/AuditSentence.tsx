import type { AuditAction, AuditEntry } from '@contract/audit.ts'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { settingName } from '../model'

interface SentenceParts {
  actor: ReactNode
  /** The affected user. */
  target: ReactNode
  change: AuditEntry['change']
  subject: string | null
}

/**
 * Describes an admin action in a sentence. Shows the name of an unknown action.
 *
 * @param actor the name of the admin
 * @param target the name of the affected user
 */
export function AuditSentence({
  entry: { action, change, subject, targetId },
  actor,
  target,
}: {
  entry: AuditEntry
  actor: ReactNode
  target: ReactNode
}) {
  const sentence = (sentences as Partial<Record<string, (parts: SentenceParts) => ReactNode>>)[action]
  if (sentence) return sentence({ actor, target, change, subject })
  if (!targetId)
    return (
      <Trans>
        {actor} performed {action}
      </Trans>
    )
  return (
    <Trans>
      {actor} performed {action} on {target}
    </Trans>
  )
}

const sentences: Record<AuditAction, (parts: SentenceParts) => ReactNode> = {
  'account.approve': ({ actor, target }) => (
    <Trans>
      {actor} approved {target}
    </Trans>
  ),
  'account.edit': ({ actor, target }) => (
    <Trans>
      {actor} edited the profile of {target}
    </Trans>
  ),
  'account.creator': ({ actor, target, change }) =>
    change.isCreator ? (
      <Trans>
        {actor} made {target} a creator
      </Trans>
    ) : (
      <Trans>
        {actor} removed creator status from {target}
      </Trans>
    ),
  'account.remove': ({ actor, target }) => (
    <Trans>
      {actor} removed the account of {target}
    </Trans>
  ),
  'account.unsuspend': ({ actor, target }) => (
    <Trans>
      {actor} lifted the suspension of {target}
    </Trans>
  ),
  'post.create': ({ actor, target, change }) =>
    change.premium ? (
      <Trans>
        {actor} published a premium post as {target}
      </Trans>
    ) : (
      <Trans>
        {actor} published a post as {target}
      </Trans>
    ),
  'auto_posting.set': ({ actor, target, change }) =>
    change.enabled ? (
      <Trans>
        {actor} turned on auto-posting for {target}
      </Trans>
    ) : (
      <Trans>
        {actor} turned off auto-posting for {target}
      </Trans>
    ),
  'case.dismiss': dismissSentence,
  'case.warn': warnSentence,
  'case.hide': hideSentence,
  'case.remove': removeSentence,
  'case.suspend': ({ actor, target }) => (
    <Trans>
      {actor} suspended {target}
    </Trans>
  ),
  'appeal.grant': ({ actor, target }) => (
    <Trans>
      {actor} granted an appeal by {target}
    </Trans>
  ),
  'appeal.refuse': ({ actor, target }) => (
    <Trans>
      {actor} turned down an appeal by {target}
    </Trans>
  ),
  'ai_key.set': ({ actor }) => <Trans>{actor} set the AI provider key</Trans>,
  'ai_key.reveal': ({ actor }) => <Trans>{actor} viewed the AI provider key</Trans>,
  'ai_key.remove': ({ actor }) => <Trans>{actor} removed the AI provider key</Trans>,
  'settings.change': ({ actor, subject }) => {
    const setting = settingName(subject ?? '')
    return (
      <Trans>
        {actor} changed a setting: {setting}
      </Trans>
    )
  },
  'payout.paid': ({ actor, target }) => (
    <Trans>
      {actor} marked a payout to {target} as paid
    </Trans>
  ),
  'payout.failed': ({ actor, target }) => (
    <Trans>
      {actor} marked a payout to {target} as failed
    </Trans>
  ),
  'payout.reveal': ({ actor, target }) => (
    <Trans>
      {actor} viewed the payout details of {target}
    </Trans>
  ),
  'test_money.void': () => <Trans>The operator removed all test money</Trans>,
}

/** Describes a dismissed report, which has no affected user. */
function dismissSentence({ actor, change }: SentenceParts) {
  switch (change.kind) {
    case 'post':
      return <Trans>{actor} dismissed a report about a post</Trans>
    case 'comment':
      return <Trans>{actor} dismissed a report about a comment</Trans>
    case 'message':
      return <Trans>{actor} dismissed a report about a message</Trans>
    default:
      return <Trans>{actor} dismissed a report about a profile</Trans>
  }
}

function warnSentence({ actor, target, change }: SentenceParts) {
  switch (change.kind) {
    case 'post':
      return (
        <Trans>
          {actor} warned {target} about a post
        </Trans>
      )
    case 'comment':
      return (
        <Trans>
          {actor} warned {target} about a comment
        </Trans>
      )
    case 'message':
      return (
        <Trans>
          {actor} warned {target} about a message
        </Trans>
      )
    default:
      return (
        <Trans>
          {actor} warned {target} about their profile
        </Trans>
      )
  }
}

/** Describes hidden content. Profiles cannot be hidden. */
function hideSentence({ actor, target, change }: SentenceParts) {
  switch (change.kind) {
    case 'post':
      return (
        <Trans>
          {actor} hid a post by {target}
        </Trans>
      )
    case 'comment':
      return (
        <Trans>
          {actor} hid a comment by {target}
        </Trans>
      )
    default:
      return (
        <Trans>
          {actor} hid a message by {target}
        </Trans>
      )
  }
}

function removeSentence({ actor, target, change }: SentenceParts) {
  switch (change.kind) {
    case 'post':
      return (
        <Trans>
          {actor} removed a post by {target}
        </Trans>
      )
    case 'comment':
      return (
        <Trans>
          {actor} removed a comment by {target}
        </Trans>
      )
    case 'message':
      return (
        <Trans>
          {actor} removed a message by {target}
        </Trans>
      )
    default:
      return (
        <Trans>
          {actor} removed the account of {target}
        </Trans>
      )
  }
}

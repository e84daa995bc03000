import { Box } from '@chakra-ui/react'
import type { AccessToken } from '@contract/access-token.ts'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { isolateBidi } from '@/lib/text'
import { longDate, useNow } from '@/lib/time'
import { Badge } from '@/ui/Badge'
import { Button, ButtonLink } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { ExternalLinkIcon } from '@/ui/icons'
import { KeyIllustration } from '@/ui/illustrations'
import { Card } from '@/ui/layout'
import { nextRowOrHeading, useFocusAfterRemoval } from '@/ui/restore-focus'
import { Loading, Skeleton } from '@/ui/Skeleton'
import { EmptyState, ErrorState } from '@/ui/states'
import { TimeAgo } from '@/ui/TimeAgo'
import { accessTokensQuery, useRevokeAccessToken } from '../api/access-tokens'
import { scopeTexts } from './access-token-texts'
import { CreateAccessTokenDialog } from './CreateAccessTokenDialog'
import { DetailsLine, SettingsPanel } from './SettingsSection'

const headingId = 'access-tokens'
const rowPadding = { paddingInline: { base: '4', md: '6' }, paddingBlock: '3.5' } as const

/** Shows the access tokens with which the user's programs call the API, and a link to the API's documentation. */
export function DeveloperTopic() {
  return (
    <>
      <AccessTokens />
      <SettingsPanel
        title={t`API`}
        text={t`All API calls and the scopes they need, as an OpenAPI document.`}
        action={
          <ButtonLink to="/api/openapi.json" target="_blank" rel="noopener" variant="outline">
            {t`Open the document`}
            <ExternalLinkIcon />
          </ButtonLink>
        }
      />
    </>
  )
}

function AccessTokens() {
  const tokens = useQuery(accessTokensQuery)
  const createButton = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const now = useNow()
  const max = limits.maxAccessTokens
  // Expired tokens do not count, because creating a token deletes them.
  const isFull = (tokens.data ?? []).filter((token) => !isExpired(token, now)).length >= max
  return (
    <Card as="section" aria-labelledby={headingId} paddingTop={{ base: '4', md: '6' }} paddingBottom="2">
      <Box
        display="flex"
        flexDirection={{ base: 'column', md: 'row' }}
        alignItems={{ base: 'stretch', md: 'flex-start' }}
        justifyContent="space-between"
        gap="4"
        paddingInline={{ base: '4', md: '6' }}
        paddingBottom="3"
      >
        <div>
          <Box as="h2" id={headingId} tabIndex={-1} textStyle="title" borderRadius="xs">
            {t`Access tokens`}
          </Box>
          <Box textStyle="small" color="muted" marginTop="0.5">
            {isFull
              ? t`You have ${max} access tokens, which is the limit. Revoke one to create another.`
              : t`Let your own programs use your account. Anyone who has a token can use it, so keep it as safe as your password.`}
          </Box>
        </div>
        <Button
          ref={createButton}
          variant="ember"
          aria-haspopup="dialog"
          disabled={isFull}
          onClick={() => setDialogOpen(true)}
        >
          {t`Create token`}
        </Button>
      </Box>
      {tokens.isPending && <TokensSkeleton />}
      {tokens.isError && !tokens.data && (
        <ErrorState
          message={t`Couldn't load your access tokens. Try again.`}
          onRetry={() => void tokens.refetch()}
        />
      )}
      {tokens.data?.length === 0 && (
        <EmptyState
          as="h3"
          illustration={<KeyIllustration />}
          title={t`No access tokens yet`}
          text={t`Create one to build a bot or to connect another app.`}
        />
      )}
      <Box as="ul" listStyleType="none">
        {tokens.data?.map((token) => (
          <TokenRow key={token.id} token={token} expired={isExpired(token, now)} />
        ))}
      </Box>
      <CreateAccessTokenDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        finalFocus={() => createButton.current}
      />
    </Card>
  )
}

const isExpired = ({ expiresAt }: AccessToken, now: number) =>
  expiresAt !== null && Date.parse(expiresAt) <= now

/**
 * Shows an access token with a button to revoke it. For screen readers, the token's details describe the button,
 * because several tokens can have the same name.
 */
function TokenRow({ token, expired }: { token: AccessToken; expired: boolean }) {
  const detailsId = useId()
  const focusHandlers = useFocusAfterRemoval(nextRowOrHeading)
  const { name, scopes, lastUsedAt, expiresAt } = token
  const expiryDate = expiresAt && longDate(expiresAt)
  return (
    <Box
      as="li"
      {...focusHandlers}
      display="flex"
      alignItems="center"
      gap="4"
      {...rowPadding}
      borderTopWidth="1px"
      borderColor="hairline"
    >
      <Box flex="1" minWidth="0">
        <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
          <Box asChild textStyle="label" overflowWrap="anywhere" minWidth="0">
            <bdi>{name}</bdi>
          </Box>
          {expired && <Badge tone="danger">{t`Expired`}</Badge>}
        </Box>
        <DetailsLine id={detailsId}>
          <span>
            {scopeTexts()
              .filter(({ scope }) => scopes.includes(scope))
              .map(({ label }) => label)
              .join(', ')}
          </span>
          <span>
            {lastUsedAt ? (
              <Trans>
                Last used <TimeAgo at={lastUsedAt} />
              </Trans>
            ) : (
              t`Never used`
            )}
          </span>
          <span>
            {expiryDate === null
              ? t`Does not expire`
              : expired
                ? t`Expired on ${expiryDate}`
                : t`Expires on ${expiryDate}`}
          </span>
        </DetailsLine>
      </Box>
      <RevokeButton token={token} detailsId={detailsId} />
    </Box>
  )
}

function RevokeButton({ token, detailsId }: { token: AccessToken; detailsId: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const revoke = useRevokeAccessToken(token.id)
  const plainName = token.name
  const name = isolateBidi(plainName)
  return (
    <>
      <Button
        ref={button}
        variant="outline"
        size="sm"
        aria-label={t`Revoke ${plainName}`}
        aria-describedby={detailsId}
        onClick={() => setDialogOpen(true)}
      >
        {t`Revoke`}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onConfirm={() => revoke.mutate(undefined, { onSettled: () => setDialogOpen(false) })}
        pending={revoke.isPending}
        finalFocus={() => button.current}
        title={t`Revoke “${name}”?`}
        text={t`Programs that use it stop working right away. You can't undo this.`}
        confirmLabel={t`Revoke`}
      />
    </>
  )
}

function TokensSkeleton() {
  return (
    <Loading label={t`Loading access tokens`}>
      {['first', 'second'].map((row) => (
        <Box key={row} {...rowPadding} borderTopWidth="1px" borderColor="hairline">
          <Skeleton height="3.5" width="35%" />
          <Skeleton height="3" width="60%" marginTop="2" />
        </Box>
      ))}
    </Loading>
  )
}

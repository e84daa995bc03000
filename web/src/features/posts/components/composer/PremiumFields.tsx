import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Ref } from 'react'
import { TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import type { PostDraft, PostDraftFields } from '../../post-draft'
import { LongTextField } from './LongTextField'

const { min, max } = limits.premiumPrice

type PremiumField = 'price' | 'teaser' | 'included' | 'showUnlocks'

/** Shows the inputs for the price, the teaser and the options of a premium post. */
export function PremiumFields({
  values,
  onChange,
  priceRef,
  priceError,
  disabled,
}: {
  values: Pick<PostDraft, PremiumField>
  onChange: (fields: Pick<PostDraftFields, PremiumField>) => void
  priceRef: Ref<HTMLInputElement>
  /** Set on submit rather than on blur, so that the submit button does not move under the pointer. */
  priceError: string | undefined
  disabled: boolean
}) {
  return (
    <Box
      role="group"
      aria-label={t`Premium post`}
      display="grid"
      gap="4"
      padding="4"
      borderRadius="md"
      bg="gold.wash"
    >
      <Box as="p" textStyle="small">
        <Trans>
          Everyone sees your teaser, the price and a blurred preview. Your text and media unlock after
          payment.
        </Trans>
      </Box>
      <TextField
        ref={priceRef}
        label={t`Price in US dollars`}
        type="number"
        inputMode="decimal"
        min={min.toFixed(2)}
        max={max.toFixed(2)}
        step="0.01"
        value={values.price}
        onChange={(event) => onChange({ price: event.target.value })}
        // Scrolling over the input must not change the price.
        onWheel={(event) => event.currentTarget.blur()}
        error={priceError}
        disabled={disabled}
        maxWidth="12rem"
      />
      <LongTextField
        label={t`Teaser (optional)`}
        hint={t`Shown to everyone. Hashtags and mentions work here.`}
        value={values.teaser}
        onChange={(teaser) => onChange({ teaser })}
        max={limits.teaser.max}
        rows={2}
        disabled={disabled}
      />
      <Switch
        label={t`Included in my subscription`}
        hint={t`Subscribers get this post at no extra cost.`}
        checked={values.included}
        onChange={(included) => onChange({ included })}
        disabled={disabled}
      />
      <Switch
        label={t`Show how many unlocked it`}
        hint={t`Everyone sees the number below your teaser.`}
        checked={values.showUnlocks}
        onChange={(showUnlocks) => onChange({ showUnlocks })}
        disabled={disabled}
      />
    </Box>
  )
}

import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import type { Ref } from 'react'
import { TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import type { PostDraft, PostDraftFields } from '../../post-draft'
import { LongTextField } from './LongTextField'

const { min, max } = limits.premiumPrice

/** What a post costs, and what those see who have not paid. */
export function PremiumFields({
  draft,
  onChange,
  priceRef,
  priceError,
  disabled,
}: {
  draft: Pick<PostDraft, 'price' | 'teaser' | 'included'>
  onChange: (fields: Pick<PostDraftFields, 'price' | 'teaser' | 'included'>) => void
  priceRef: Ref<HTMLInputElement>
  /** Told on the press that would post: told earlier, it would move the button from under the pointer. */
  priceError: string | undefined
  disabled: boolean
}) {
  return (
    <Box
      role="group"
      aria-label="Premium post"
      display="grid"
      gap="4"
      padding="4"
      borderRadius="md"
      bg="gold.wash"
    >
      <Box as="p" textStyle="small">
        Everyone sees the teaser, the price and a blurred glimpse of the image or video. What you wrote, and
        the image or video itself, open for those who pay.
      </Box>
      <TextField
        ref={priceRef}
        label="Price in US dollars"
        type="number"
        inputMode="decimal"
        min={min.toFixed(2)}
        max={max.toFixed(2)}
        step="0.01"
        value={draft.price}
        onChange={(event) => onChange({ price: event.target.value })}
        // Scrolling past it must not change what it costs.
        onWheel={(event) => event.currentTarget.blur()}
        error={priceError}
        disabled={disabled}
        maxWidth="12rem"
      />
      <LongTextField
        label="Teaser (optional)"
        hint="The words that everyone sees. Hashtags and mentions count here."
        value={draft.teaser}
        onChange={(teaser) => onChange({ teaser })}
        max={limits.teaser.max}
        rows={2}
        disabled={disabled}
      />
      <Switch
        label="Included in my subscription"
        hint="Your subscribers read it without paying for it."
        checked={draft.included}
        onChange={(included) => onChange({ included })}
        disabled={disabled}
      />
    </Box>
  )
}

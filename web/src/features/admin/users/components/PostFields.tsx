import { limits } from '@contract/limits.ts'
import { TextareaField, TextField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import type { ChosenFile } from '../chosen-file'
import type { PostDraft } from '../create-post'
import { MediaPicker } from './MediaPicker'

const { adminMin, max } = limits.premiumPrice

/** What a post says, shows and costs. */
export function PostFields({
  draft,
  onChange,
  chosen,
  onChoose,
  problems,
  disabled,
}: {
  draft: PostDraft
  onChange: (fields: Partial<PostDraft>) => void
  chosen: ChosenFile | undefined
  onChoose: (chosen: ChosenFile | undefined) => void
  problems: Partial<Record<string, string>>
  disabled: boolean
}) {
  return (
    <>
      <TextareaField
        label="Content"
        rows={5}
        dir="auto"
        css={{ fieldSizing: 'content', minHeight: '8rem' }}
        value={draft.content}
        error={problems.content}
        readOnly={disabled}
        onChange={({ target }) => onChange({ content: target.value })}
      />
      <MediaPicker chosen={chosen} onChoose={onChoose} disabled={disabled} />
      {chosen && (
        <TextField
          label="Alt text (optional)"
          hint="Says what is to be seen, for people who cannot see it."
          dir="auto"
          maxLength={limits.altText.max}
          value={draft.altText}
          readOnly={disabled}
          onChange={({ target }) => onChange({ altText: target.value })}
        />
      )}
      <Switch
        label="Premium"
        hint="It opens for those who pay for it."
        checked={draft.isPremium}
        disabled={disabled}
        onChange={(isPremium) => onChange({ isPremium })}
      />
      {draft.isPremium && (
        <TextField
          label="Price in US dollars"
          type="number"
          inputMode="decimal"
          min={adminMin.toFixed(2)}
          max={max.toFixed(2)}
          step="0.01"
          maxWidth="12rem"
          value={draft.price}
          error={problems.premiumPrice}
          readOnly={disabled}
          // Scrolling past it must not change what it costs.
          onWheel={(event) => event.currentTarget.blur()}
          onChange={({ target }) => onChange({ price: target.value })}
        />
      )}
    </>
  )
}

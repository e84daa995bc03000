import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { appName } from '@/lib/app-name'
import { TextField } from '@/ui/Field'
import type { ProductFormErrors, ProductFormValues } from '../../product-form'

/** What a product is called, costs, and where it is sold. */
export function ProductFields({
  text,
  onChange,
  problems,
  disabled,
}: {
  text: ProductFormValues
  onChange: (fields: Partial<ProductFormValues>) => void
  /** Told on the press that would post: told earlier, they would move what stands below. */
  problems: ProductFormErrors
  disabled: boolean
}) {
  return (
    <>
      <TextField
        label="Product name"
        value={text.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={problems.name}
        maxLength={limits.product.name}
        readOnly={disabled}
        dir="auto"
        autoComplete="off"
      />
      <Box display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <TextField
          label="Price in US dollars"
          inputMode="decimal"
          placeholder="0.00"
          value={text.price}
          onChange={(event) => onChange({ price: event.target.value })}
          error={problems.price}
          readOnly={disabled}
          autoComplete="off"
        />
        <TextField
          label="Category (optional)"
          value={text.category}
          onChange={(event) => onChange({ category: event.target.value })}
          error={problems.category}
          maxLength={limits.product.category}
          readOnly={disabled}
          dir="auto"
          autoComplete="off"
        />
      </Box>
      <TextField
        label="Store URL"
        type="url"
        inputMode="url"
        placeholder="https://"
        value={text.storeUrl}
        onChange={(event) => onChange({ storeUrl: event.target.value })}
        error={problems.storeUrl}
        hint={`Where people buy it: ${appName} takes no part in the sale.`}
        maxLength={limits.webAddress.max}
        readOnly={disabled}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  )
}

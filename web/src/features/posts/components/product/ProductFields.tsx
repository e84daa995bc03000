import { Box } from '@chakra-ui/react'
import { limits } from '@contract/limits.ts'
import { t } from '@lingui/core/macro'
import { appName } from '@/lib/config'
import { TextField } from '@/ui/Field'
import type { ProductFormErrors, ProductFormValues } from '../../product-draft'

/** Shows the inputs of a product, except its description. */
export function ProductFields({
  values,
  onChange,
  errors,
  disabled,
}: {
  values: ProductFormValues
  onChange: (fields: Partial<ProductFormValues>) => void
  /** Set on submit rather than on blur, so that the inputs below do not move under the pointer. */
  errors: ProductFormErrors
  disabled: boolean
}) {
  return (
    <>
      <TextField
        label={t`Product name`}
        value={values.name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={errors.name}
        maxLength={limits.product.name}
        readOnly={disabled}
        dir="auto"
        autoComplete="off"
      />
      <Box display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <TextField
          label={t`Price in US dollars`}
          inputMode="decimal"
          placeholder="0.00"
          value={values.price}
          onChange={(event) => onChange({ price: event.target.value })}
          error={errors.price}
          readOnly={disabled}
          autoComplete="off"
        />
        <TextField
          label={t`Category (optional)`}
          value={values.category}
          onChange={(event) => onChange({ category: event.target.value })}
          error={errors.category}
          maxLength={limits.product.category}
          readOnly={disabled}
          dir="auto"
          autoComplete="off"
        />
      </Box>
      <TextField
        label={t`Store URL`}
        type="url"
        inputMode="url"
        placeholder="https://"
        value={values.storeUrl}
        onChange={(event) => onChange({ storeUrl: event.target.value })}
        error={errors.storeUrl}
        hint={t`Where people can buy it. ${appName} isn't involved in the sale.`}
        maxLength={limits.webAddress.max}
        readOnly={disabled}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  )
}

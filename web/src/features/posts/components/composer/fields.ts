export { MediaField } from './MediaField'
export { PremiumFields } from './PremiumFields'
export { QuoteField } from './QuoteField'

import { i18n } from '@lingui/core'

// Unit tests run in English.
i18n.loadAndActivate({ locale: 'en', messages: {} })

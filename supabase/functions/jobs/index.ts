import { createApp } from '../_shared/http/app.ts'
import { money } from './money.ts'
import { upkeep } from './upkeep.ts'
import { words } from './words.ts'

const app = createApp('/jobs')
for (const job of [...upkeep, ...money, ...words]) app.route('/', job)

export default { fetch: app.fetch }

import { setUpProcess } from '../shared/process-setup.ts'
import { waitForDatabase } from '../shared/wait-for-database.ts'
import type { StudioConfig } from './config.ts'
import { startStudio } from './server.ts'

// Runs the studio in its own process, because it connects as the superuser, and because a result that does not fit into
// memory must not crash anything else.
const { config, log, onStop } = setUpProcess<StudioConfig>('studio')
await waitForDatabase(config.databaseUrl)
const studio = startStudio(config, log)
onStop(() => studio.stop())

import { setUpProcess } from '../shared/process-setup.ts'
import { waitForDatabase } from '../shared/wait-for-database.ts'
import type { StudioConfig } from './config.ts'
import { startStudio } from './server.ts'

// Runs the studio, in a process of its own: it has all rights in the database, and a result that does not fit into
// memory must not end anything else.
const { config, log, onStop } = setUpProcess<StudioConfig>('studio')
await waitForDatabase(config.databaseUrl)
const studio = startStudio(config, log)
onStop(() => studio.stop())

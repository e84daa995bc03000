import { createApp, serveApp } from '../_shared/http/app.ts'
import { jobRoutes } from './routes.ts'

const app = createApp('/jobs')
for (const routes of jobRoutes) app.route('/', routes)

export default serveApp(app)

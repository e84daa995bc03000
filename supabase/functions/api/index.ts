import { accountRoutes } from '../_shared/account/routes.ts'
import { adminsOnly } from '../_shared/admin/require-admin.ts'
import { adminRoutes } from '../_shared/admin/routes.ts'
import { analyticsRoutes } from '../_shared/analytics/routes.ts'
import { authRoutes } from '../_shared/auth/routes.ts'
import { autoPostingRoutes } from '../_shared/auto-posting/routes.ts'
import { commentRoutes } from '../_shared/comments/routes.ts'
import { discoverRoutes } from '../_shared/discover/routes.ts'
import { earningsRoutes } from '../_shared/earnings/routes.ts'
import { galleryRoutes } from '../_shared/gallery/routes.ts'
import { createApp, serveApp } from '../_shared/http/app.ts'
import { jobStatusRoutes } from '../_shared/jobs/routes.ts'
import { unsubscribeRoutes } from '../_shared/mail/unsubscribe.ts'
import { mediaRoutes } from '../_shared/media/routes.ts'
import { massMessageRoutes } from '../_shared/messages/mass-message-routes.ts'
import { messageRoutes } from '../_shared/messages/routes.ts'
import { moderationRoutes } from '../_shared/moderation/routes.ts'
import { notificationRoutes } from '../_shared/notifications/routes.ts'
import { paymentRoutes } from '../_shared/payments/routes.ts'
import { payoutRoutes } from '../_shared/payouts/routes.ts'
import { postRoutes } from '../_shared/posts/routes.ts'
import { scheduledPostRoutes } from '../_shared/posts/scheduled-post-routes.ts'
import { productRoutes } from '../_shared/products/routes.ts'
import { openApiHandler } from '../_shared/system/openapi.ts'
import { systemRoutes } from '../_shared/system/routes.ts'
import { relationRoutes } from '../_shared/users/relation-routes.ts'
import { userRoutes } from '../_shared/users/routes.ts'

const app = createApp('/api')
app.use('/admin/*', adminsOnly)

for (const routes of [
  systemRoutes,
  authRoutes,
  accountRoutes,
  userRoutes,
  relationRoutes,
  scheduledPostRoutes,
  postRoutes,
  productRoutes,
  mediaRoutes,
  galleryRoutes,
  commentRoutes,
  paymentRoutes,
  earningsRoutes,
  payoutRoutes,
  discoverRoutes,
  massMessageRoutes,
  messageRoutes,
  moderationRoutes,
  notificationRoutes,
  unsubscribeRoutes,
  analyticsRoutes,
  adminRoutes,
  autoPostingRoutes,
  jobStatusRoutes,
]) {
  app.route('/', routes)
}

app.get('/openapi.json', openApiHandler(app))

export default serveApp(app)

import { accountRoutes } from '../_shared/account/routes.ts'
import { adminsOnly } from '../_shared/admin/confirm.ts'
import { adminRoutes } from '../_shared/admin/routes.ts'
import { analyticsRoutes } from '../_shared/analytics/routes.ts'
import { authRoutes } from '../_shared/auth/routes.ts'
import { adminAutoPostRoutes } from '../_shared/auto-posting/admin-routes.ts'
import { aiKeyRoutes } from '../_shared/auto-posting/key-routes.ts'
import { autoPostRoutes } from '../_shared/auto-posting/routes.ts'
import { commentRoutes } from '../_shared/comments/routes.ts'
import { discoverRoutes } from '../_shared/discover/routes.ts'
import { earningRoutes } from '../_shared/earnings/routes.ts'
import { galleryRoutes } from '../_shared/gallery/routes.ts'
import { createApp } from '../_shared/http/app.ts'
import { jobRoutes } from '../_shared/jobs/routes.ts'
import { ownImageRoutes } from '../_shared/media/own-image-routes.ts'
import { mediaRoutes } from '../_shared/media/routes.ts'
import { messageChangeRoutes } from '../_shared/messages/change-routes.ts'
import { messageRoutes } from '../_shared/messages/routes.ts'
import { adminCaseRoutes } from '../_shared/moderation/admin-routes.ts'
import { moderationRoutes } from '../_shared/moderation/routes.ts'
import { notificationRoutes } from '../_shared/notifications/routes.ts'
import { billingRoutes } from '../_shared/payments/billing-routes.ts'
import { paymentRoutes } from '../_shared/payments/routes.ts'
import { tipRoutes } from '../_shared/payments/tip-routes.ts'
import { adminPayoutRoutes } from '../_shared/payouts/admin-routes.ts'
import { payoutRoutes } from '../_shared/payouts/routes.ts'
import { postListRoutes } from '../_shared/posts/list-routes.ts'
import { postRoutes } from '../_shared/posts/routes.ts'
import { productRoutes } from '../_shared/products/routes.ts'
import { describeApi } from '../_shared/system/document.ts'
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
  postRoutes,
  postListRoutes,
  productRoutes,
  mediaRoutes,
  ownImageRoutes,
  galleryRoutes,
  commentRoutes,
  paymentRoutes,
  billingRoutes,
  tipRoutes,
  earningRoutes,
  payoutRoutes,
  adminPayoutRoutes,
  discoverRoutes,
  messageRoutes,
  messageChangeRoutes,
  moderationRoutes,
  adminCaseRoutes,
  notificationRoutes,
  analyticsRoutes,
  adminRoutes,
  aiKeyRoutes,
  adminAutoPostRoutes,
  autoPostRoutes,
  jobRoutes,
]) {
  app.route('/', routes)
}

const document = describeApi(app)
app.get('/openapi.json', (c) => c.json(document))

export default { fetch: app.fetch }

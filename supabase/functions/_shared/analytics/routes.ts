import { createRoute, z } from '@hono/zod-openapi'
import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  AnalyticsQuery,
  BestHours,
  TopPosts,
  ViewsRequest,
} from '../contract/analytics.ts'
import { answers, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { passCsv } from '../http/csv.ts'
import { exportDays } from './export.ts'
import { audience, bestHours, topPosts } from './lists.ts'
import { monthly } from './monthly.ts'
import { overview } from './overview.ts'
import { recordViews } from './views.ts'

const tags = ['Analytics']
/** Only ever the caller's own id: any other text is refused as somebody else's, so that none tells who there is. */
const UserParam = z.object({ userId: z.string() })
const request = { params: UserParam, query: AnalyticsQuery }

export const analyticsRoutes = createRouter()

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/overview/{userId}',
    tags,
    summary: 'Views, likes and comments of a period, day by day; only your own, as a creator',
    ...forPeople,
    request,
    responses: { 200: answers(AnalyticsOverview, 'The period, and as many days before') },
  }),
  async (c) => c.json(await overview(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/monthly/{userId}',
    tags,
    summary: 'Revenue, new followers and subscriptions of a period; only your own, as a creator',
    ...forPeople,
    request,
    responses: { 200: answers(AnalyticsMonthly, 'The period, and as many days before') },
  }),
  async (c) => c.json(await monthly(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/top-posts/{userId}',
    tags,
    summary: 'Your posts with the most views in a period',
    ...forPeople,
    request,
    responses: { 200: answers(TopPosts, 'The most viewed first') },
  }),
  async (c) =>
    passJson(c, await topPosts(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/audience/{userId}',
    tags,
    summary: 'Ages and countries of your followers, in groups of at least five',
    ...forPeople,
    request: { params: UserParam },
    responses: { 200: answers(AnalyticsAudience, 'The groups, counted once a day') },
  }),
  async (c) => c.json(await audience(c.var.user, c.req.valid('param').userId), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/hours/{userId}',
    tags,
    summary: 'When your posts are seen: views by weekday and hour in UTC, and how many on average',
    ...forPeople,
    request,
    responses: { 200: answers(BestHours, 'The hours with views') },
  }),
  async (c) => c.json(await bestHours(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/export/{userId}',
    tags,
    summary: 'A period as a CSV file, a row for each day',
    ...forPeople,
    request,
    responses: { 200: { description: 'The file, as a download' } },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const table = await exportDays(c.var.user, { ...c.req.valid('param'), ...query })
    return passCsv(c, `ovation-analytics-${query.period}.csv`, table)
  },
)

analyticsRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/views',
    tags,
    summary: 'Say which posts were on your screen: each counts once an hour, your own never',
    ...forPeople,
    request: takes(ViewsRequest),
    responses: { 204: { description: 'Noted' } },
  }),
  async (c) => {
    await recordViews(c.var.user, c.req.valid('json').postIds)
    return c.body(null, 204)
  },
)

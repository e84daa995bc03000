import { createRoute, z } from '@hono/zod-openapi'
import {
  AnalyticsAudience,
  AnalyticsMonthly,
  AnalyticsOverview,
  AnalyticsQuery,
  AnalyticsSources,
  BestHours,
  RecentViews,
  TopPosts,
  ViewsRequest,
} from '../contract/analytics.ts'
import { createRouter, requireUser } from '../http/app.ts'
import { sendCsv } from '../http/csv.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import { exportAnalyticsCsv } from './csv-export.ts'
import * as queries from './queries.ts'

const tags = ['Analytics']
/**
 * Any string is accepted here. All ids except the caller's own get the same error, which does not reveal whether an
 * account exists.
 */
const UserParam = z.object({ userId: z.string() })
const request = { params: UserParam, query: AnalyticsQuery }

export const analyticsRoutes = createRouter()

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/overview/{userId}',
    tags,
    summary: 'Get views, likes and comments for a period, by day. For creators; your own analytics only',
    ...requireUser,
    request,
    responses: { 200: jsonResponse(AnalyticsOverview, 'The period, and the same number of days before it') },
  }),
  async (c) =>
    c.json(
      await queries.readAnalyticsOverview(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }),
      200,
    ),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/monthly/{userId}',
    tags,
    summary:
      'Get revenue, new followers and new subscriptions for a period, by day. For creators; your own analytics only',
    ...requireUser,
    request,
    responses: { 200: jsonResponse(AnalyticsMonthly, 'The period, and the same number of days before it') },
  }),
  async (c) =>
    c.json(
      await queries.readMonthlyAnalytics(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }),
      200,
    ),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/top-posts/{userId}',
    tags,
    summary: 'List your posts with the most views in a period. For creators',
    ...requireUser,
    request,
    responses: { 200: jsonResponse(TopPosts, 'The posts, most viewed first') },
  }),
  async (c) =>
    sendJson(
      c,
      await queries.listTopPosts(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }),
      200,
    ),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/audience/{userId}',
    tags,
    summary: 'Get the ages and countries of your followers, in groups of at least five. For creators',
    ...requireUser,
    request: { params: UserParam },
    responses: { 200: jsonResponse(AnalyticsAudience, 'The groups, counted once a day') },
  }),
  async (c) => c.json(await queries.readAudience(c.var.user, c.req.valid('param').userId), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/hours/{userId}',
    tags,
    summary:
      'Get the views of your posts by weekday and hour in UTC: the total and the average per week. For creators',
    ...requireUser,
    request,
    responses: { 200: jsonResponse(BestHours, 'The hours with views') },
  }),
  async (c) =>
    c.json(
      await queries.readBestHours(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }),
      200,
    ),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/recent/{userId}',
    tags,
    summary:
      'Get the views of your posts in the last 48 hours, by hour. For creators; your own analytics only',
    ...requireUser,
    request: { params: UserParam },
    responses: { 200: jsonResponse(RecentViews, 'The hours, including the current one') },
  }),
  async (c) => c.json(await queries.readRecentViews(c.var.user, c.req.valid('param').userId), 200),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/sources/{userId}',
    tags,
    summary:
      'Get the sources of the views of your posts in a period, excluding today and days that ended less than two hours ago. For creators; your own analytics only',
    ...requireUser,
    request,
    responses: {
      200: jsonResponse(AnalyticsSources, 'The views by source. Sources with few views are counted as other'),
    },
  }),
  async (c) =>
    c.json(
      await queries.readViewSources(c.var.user, { ...c.req.valid('param'), ...c.req.valid('query') }),
      200,
    ),
)

analyticsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/analytics/export/{userId}',
    tags,
    summary: 'Download your analytics for a period as a CSV file, one row per day. For creators',
    ...requireUser,
    request,
    responses: { 200: { description: 'The CSV file' } },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const csv = await exportAnalyticsCsv(c.var.user, { ...c.req.valid('param'), ...query })
    const name = query.from ? `${query.from}-to-${query.to}` : query.period
    return sendCsv(c, `ovation-analytics-${name}.csv`, csv)
  },
)

analyticsRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/views',
    tags,
    summary:
      'Report which posts were on your screen, and where you found them. Each post counts once per hour, for the first source; your own posts never count',
    ...requireUser,
    request: jsonBody(ViewsRequest),
    responses: { 204: { description: 'The views were recorded' } },
  }),
  async (c) => {
    await queries.recordViews(c.var.user, c.req.valid('json'))
    return c.body(null, 204)
  },
)

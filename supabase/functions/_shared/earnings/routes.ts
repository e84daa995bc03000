import { createRoute, z } from '@hono/zod-openapi'
import { DayRange } from '../contract/analytics.ts'
import {
  EarningsByDay,
  EarningsOverview,
  GoalsRequest,
  GoalsResponse,
  Transaction,
  TransactionsExportQuery,
  TransactionsQuery,
} from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { createRouter, requireUser, requireUserAnd } from '../http/app.ts'
import { sendCsv } from '../http/csv.ts'
import { rejectCrossSite } from '../http/origin.ts'
import { pageRange } from '../http/params.ts'
import { jsonBody, jsonResponse, sendPage } from '../http/responses.ts'
import { exportTransactionsCsv, transactionsFileName } from './csv-export.ts'
import * as queries from './queries.ts'

const tags = ['Earnings']

export const earningsRoutes = createRouter()

earningsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/overview',
    tags,
    summary: 'Get your earnings overview: balance, sources, and totals by month and day',
    ...requireUser,
    responses: {
      200: jsonResponse(EarningsOverview, 'The overview. Amounts are in US dollars, after the platform fee'),
    },
  }),
  async (c) => c.json(await queries.readEarningsOverview(c.var.user), 200),
)

earningsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/days',
    tags,
    summary: 'Get your earnings for a range of days in UTC, and for the same number of days before it',
    ...requireUser,
    request: { query: DayRange },
    responses: {
      200: jsonResponse(EarningsByDay, 'The days. Amounts are in US dollars, after the platform fee'),
    },
  }),
  async (c) => c.json(await queries.readEarningsByDay(c.var.user, c.req.valid('query')), 200),
)

earningsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/transactions',
    tags,
    summary:
      'List your transactions, newest first. Filter by type, by days in UTC, or by the overview figure that they add up to',
    ...requireUser,
    request: { query: TransactionsQuery },
    responses: { 200: jsonResponse(z.array(Transaction), 'A page of transactions') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = pageRange(query, limits.page.transactions)
    return sendPage(c, await queries.listTransactions(c.var.user, query, range))
  },
)

earningsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/transactions/export',
    tags,
    summary: 'Download your transactions as a CSV file, up to 50,000 rows',
    ...requireUser,
    request: { query: TransactionsExportQuery },
    responses: { 200: { description: 'The CSV file' } },
  }),
  async (c) => {
    rejectCrossSite(c.req.raw.headers)
    const filter = c.req.valid('query')
    return sendCsv(c, transactionsFileName(filter), await exportTransactionsCsv(c.var.user, filter))
  },
)

earningsRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/goals',
    tags,
    summary: 'Get your goals',
    ...requireUser,
    responses: { 200: jsonResponse(GoalsResponse, 'Your goals and your progress') },
  }),
  async (c) => c.json(await queries.readGoals(c.var.user), 200),
)

earningsRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/earnings/goals',
    tags,
    summary: 'Update your goals. Omitted goals keep their value',
    ...requireUserAnd(queries.requireEarnerCanWrite),
    request: jsonBody(GoalsRequest),
    responses: { 200: jsonResponse(GoalsResponse, 'Your goals and your progress') },
  }),
  async (c) => c.json(await queries.updateGoals(c.var.user, c.req.valid('json')), 200),
)

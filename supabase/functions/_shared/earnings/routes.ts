import { createRoute, z } from '@hono/zod-openapi'
import {
  EarningsOverview,
  GoalsAnswer,
  GoalsRequest,
  Transaction,
  TransactionsExportQuery,
  TransactionsQuery,
} from '../contract/earnings.ts'
import { limits } from '../contract/limits.ts'
import { rangeOf } from '../db/page.ts'
import { answers, passPage, takes } from '../http/answers.ts'
import { createRouter, forPeople, forPeopleBut } from '../http/app.ts'
import { passCsv } from '../http/csv.ts'
import { refuseElsewhere } from '../http/origin.ts'
import { exportName, exportTransactions } from './export.ts'
import { changeGoals, readGoals } from './goals.ts'
import { readOverview } from './overview.ts'
import { confirmEarner } from './refuse.ts'
import { listTransactions } from './transactions.ts'

const tags = ['Earnings']

export const earningRoutes = createRouter()

earningRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/overview',
    tags,
    summary: 'What you have earned, what of it is available, and where it came from; for creators',
    ...forPeople,
    responses: { 200: answers(EarningsOverview, 'In US dollars, after the platform’s share') },
  }),
  async (c) => c.json(await readOverview(c.var.user), 200),
)

earningRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/transactions',
    tags,
    summary: 'What your balance is made of, the newest first; of a type, or of a card of the overview',
    ...forPeople,
    request: { query: TransactionsQuery },
    responses: { 200: answers(z.array(Transaction), 'A page of transactions') },
  }),
  async (c) => {
    const query = c.req.valid('query')
    const range = rangeOf(query, limits.page.transactions)
    return passPage(c, await listTransactions(c.var.user, query, range))
  },
)

earningRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/transactions/export',
    tags,
    summary: 'The same as a CSV file, 50,000 rows at most',
    ...forPeople,
    request: { query: TransactionsExportQuery },
    responses: { 200: { description: 'The file, as a download' } },
  }),
  async (c) => {
    refuseElsewhere(c.req.raw.headers)
    const filter = c.req.valid('query')
    return passCsv(c, exportName(filter), await exportTransactions(c.var.user, filter))
  },
)

earningRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/earnings/goals',
    tags,
    summary: 'What you aim at, and how far you are',
    ...forPeople,
    responses: { 200: answers(GoalsAnswer, 'The goals, and the same figures now') },
  }),
  async (c) => c.json(await readGoals(c.var.user), 200),
)

earningRoutes.openapi(
  createRoute({
    method: 'patch',
    path: '/earnings/goals',
    tags,
    summary: 'Change what you aim at; what is left out stays',
    ...forPeopleBut(confirmEarner),
    request: takes(GoalsRequest),
    responses: { 200: answers(GoalsAnswer, 'The goals, and the same figures now') },
  }),
  async (c) => c.json(await changeGoals(c.var.user, c.req.valid('json')), 200),
)

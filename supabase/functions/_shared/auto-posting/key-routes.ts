import { createRoute } from '@hono/zod-openapi'
import { AiKey, AiKeyRequest, AiKeyReveal } from '../contract/auto-posting.ts'
import { answers, takes } from '../http/answers.ts'
import { createRouter, forPeople } from '../http/app.ts'
import { readKey, removeKey, revealKey, setKey } from './key.ts'

const tags = ['Admin']

/** The key to the AI provider. No answer may be kept by a browser: the application says so for every call. */
export const aiKeyRoutes = createRouter()

aiKeyRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/admin/openai-key',
    tags,
    summary: 'Whether there is a key to the AI provider, masked; for admins',
    ...forPeople,
    responses: { 200: answers(AiKey, 'The key, masked') },
  }),
  async (c) => c.json(await readKey(c.var.user), 200),
)

aiKeyRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/openai-key',
    tags,
    summary: 'Set the key to the AI provider, or another one; audited',
    ...forPeople,
    request: takes(AiKeyRequest),
    responses: { 200: answers(AiKey, 'The key, masked') },
  }),
  async (c) => c.json(await setKey(c.var.user, c.req.valid('json').apiKey), 200),
)

aiKeyRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/admin/openai-key',
    tags,
    summary: 'Remove the key to the AI provider; audited',
    ...forPeople,
    responses: { 204: { description: 'Removed, or there was none' } },
  }),
  async (c) => {
    await removeKey(c.var.user)
    return c.body(null, 204)
  },
)

aiKeyRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/admin/openai-key/reveal',
    tags,
    summary: 'The key to the AI provider in full; audited',
    ...forPeople,
    responses: { 200: answers(AiKeyReveal, 'The key') },
  }),
  async (c) => c.json(await revealKey(c.var.user), 200),
)

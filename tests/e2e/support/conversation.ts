import { expect, type Page } from 'playwright/test'
import type { Account } from './users.ts'

export const messageInput = (page: Page) => page.getByPlaceholder('Type a message...')

/** Opens a user's profile and, from there, the viewer's conversation with that user. */
export async function openConversation(page: Page, other: Account): Promise<void> {
  await page.goto(`/profile/${other.username}`)
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(messageInput(page)).toBeVisible()
}

/** Types a message in the open conversation and sends it. */
export async function sendChatMessage(page: Page, text: string): Promise<void> {
  await messageInput(page).fill(text)
  await page.keyboard.press('Enter')
}

/** Returns the list of messages in the open conversation. */
export const messageThread = (page: Page) => page.getByRole('group', { name: 'Messages', exact: true })

/** Returns the messages in the open conversation that the server has stored. */
export const storedMessages = (page: Page) => messageThread(page).locator('[data-message][data-state=sent]')

/** Returns the numbers of the rendered messages whose text starts with "Number <n>", from top to bottom. */
export const renderedMessageNumbers = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-message]')].flatMap((message) => {
      const number = /^Number (\d+)/.exec(message.textContent ?? '')?.[1]
      return number ? [Number(number)] : []
    }),
  )

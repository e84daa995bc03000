import type { DemoComment } from './comments.ts'
import { newcomerComments, newcomerConversations, newcomerPosts, newcomers } from './content/newcomers.ts'
import type { DemoUser } from './content/users.ts'
import type { DemoConversation } from './conversations.ts'
import { idOf } from './ids.ts'
import type { DemoPost } from './posts.ts'
import { daysBefore, minuteMs } from './time.ts'

export const makeNewcomers = (): DemoUser[] =>
  newcomers.map((newcomer) => ({
    bio: '',
    ...newcomer,
    discoverable: false,
    inDirectory: false,
    noPicture: true,
  }))

export const makeNewcomerPosts = (now: Date): DemoPost[] =>
  newcomerPosts.map(({ name, author, age, text, edited }) => ({
    id: idOf('post', name),
    author,
    content: text,
    hasPicture: false,
    at: daysBefore(now, age),
    ...(edited !== undefined && { editedAt: daysBefore(now, edited) }),
  }))

export const makeNewcomerComments = (now: Date): DemoComment[] =>
  newcomerComments.map(({ name, author, post, age, text }) => ({
    id: idOf('comment', name),
    post: idOf('post', post),
    author,
    parent: null,
    content: text,
    at: daysBefore(now, age),
  }))

/** Creates conversations in which nobody replied and the messages are a minute apart. */
export const makeNewcomerConversations = (now: Date): DemoConversation[] =>
  newcomerConversations.map(({ from, to, age, lines }) => ({
    id: idOf('conversation', `${from} ${to}`),
    between: [from, to],
    messages: lines.map((content, index) => ({
      id: idOf('message', `${from} ${to} ${index}`),
      sender: from,
      receiver: to,
      seq: index + 1,
      content,
      at: new Date(daysBefore(now, age).getTime() + index * minuteMs),
      reactions: [],
      hasPicture: false,
      version: 0,
    })),
    unread: 0,
    changes: 0,
  }))

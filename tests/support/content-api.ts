import { Comment } from '@contract/comment.ts'
import { ChatMessage } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import { SubscribeResponse, type Subscription } from '@contract/subscription.ts'
import { apiAs } from './api.ts'
import type { TestUser } from './users.ts'

const toFields = (content: string | object): object => (typeof content === 'string' ? { content } : content)

/** Publishes a post through the API. @param post its text, or the fields of the request */
export const createPost = async (author: TestUser, post: string | object): Promise<Post> =>
  (await apiAs(author).post('/api/posts', Post, toFields(post), 201)).body

/** Comments on a post through the API. */
export const createComment = async (
  author: TestUser,
  postId: string,
  content: string,
  parentCommentId?: string,
): Promise<Comment> =>
  (await apiAs(author).post(`/api/posts/${postId}/comments`, Comment, { content, parentCommentId }, 201)).body

/** Sends a message through the API. @param message its text, or the fields of the request */
export const sendMessage = async (
  sender: TestUser,
  receiver: { id: string },
  message: string | object,
): Promise<ChatMessage> =>
  (
    await apiAs(sender).post(
      '/api/messages',
      ChatMessage,
      { receiverId: receiver.id, ...toFields(message) },
      201,
    )
  ).body

/** Subscribes a user to a creator through the API and the stack's payment provider. */
export const subscribe = async (subscriber: TestUser, creator: { id: string }): Promise<Subscription> =>
  (await apiAs(subscriber).post('/api/subscriptions', SubscribeResponse, { creatorId: creator.id }, 201)).body
    .subscription

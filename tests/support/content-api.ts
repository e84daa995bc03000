import { Comment } from '@contract/comment.ts'
import { ChatMessage } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import { apiAs } from './api.ts'
import type { TestUser } from './users.ts'

/** Publishes a post through the API and returns its ID. */
export const createPost = async (author: TestUser, content: string, extra: Record<string, unknown> = {}) =>
  (await apiAs(author).post('/api/posts', Post, { content, ...extra }, 201)).body.id

/** Comments on a post through the API and returns the comment's ID. */
export const createComment = async (author: TestUser, postId: string, content: string) =>
  (await apiAs(author).post(`/api/posts/${postId}/comments`, Comment, { content }, 201)).body.id

/** Sends a message through the API and returns its ID. */
export const sendMessage = async (sender: TestUser, receiver: TestUser, content: string, imageUrl?: string) =>
  (
    await apiAs(sender).post(
      '/api/messages',
      ChatMessage,
      { receiverId: receiver.id, content, imageUrl },
      201,
    )
  ).body.id

import { Comment } from '@contract/comment.ts'
import { ImageUpload } from '@contract/media.ts'
import { ChatMessage } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import type { TestFile } from './files.ts'
import type { SignedInUser } from './users.ts'

type ApiUser = Pick<SignedInUser, 'context'>

/** Sends a POST request to the API as a user and returns the response body. @throws Error if the API rejects it */
export async function postToApi({ context }: ApiUser, path: string, data?: object): Promise<unknown> {
  const response = await context.request.post(path, { data, failOnStatusCode: true })
  return await response.json()
}

export const publish = async (author: ApiUser, data: object): Promise<Post> =>
  Post.parse(await postToApi(author, '/api/posts', data))

export const addComment = async (
  author: ApiUser,
  postId: string,
  content: string,
  parentCommentId?: string,
): Promise<Comment> =>
  Comment.parse(await postToApi(author, `/api/posts/${postId}/comments`, { content, parentCommentId }))

export const sendMessage = async (
  sender: ApiUser,
  receiver: Pick<SignedInUser, 'id'>,
  data: { content: string } | { imageUrl: string },
): Promise<ChatMessage> =>
  ChatMessage.parse(await postToApi(sender, '/api/messages', { receiverId: receiver.id, ...data }))

/** Uploads a picture as a user and returns its URL. */
export async function uploadPicture({ context }: ApiUser, image: TestFile): Promise<string> {
  const response = await context.request.post('/api/upload', { multipart: { image }, failOnStatusCode: true })
  return ImageUpload.parse(await response.json()).imageUrl
}

export { useConnection, useConnectionState } from './connection'
export { useConversationChannel, useUserChannel } from './hooks'

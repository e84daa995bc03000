export { useConversationChannel, useUserChannel } from './channel-hooks'
export { useConnection, useConnectionState } from './connection'

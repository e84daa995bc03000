import { useState } from 'react'
import { useComposerState } from '../composer-state'
import { EditMessageComposer } from './EditMessageComposer'
import { NewMessageComposer } from './NewMessageComposer'
import { useLatestMessage } from './useLatestMessage'

/** Writes to one person, answers a message of theirs, or changes one's own. */
export function ThreadComposer({
  me,
  receiverId,
  name,
  onTyping,
}: {
  me: string
  receiverId: string
  /** The other person's. */
  name: string
  onTyping: (typing: boolean) => void
}) {
  const composing = useComposerState(receiverId)
  const now = useLatestMessage(me, receiverId, composing.kind === 'write' ? null : composing.message)
  const [edited, setEdited] = useState(false)
  if (composing.kind === 'edit' && !edited) setEdited(true)
  if (composing.kind === 'edit') {
    return (
      <EditMessageComposer
        key={composing.message.id}
        me={me}
        receiverId={receiverId}
        edit={composing}
        deleted={now?.deleted ?? false}
      />
    )
  }
  return (
    <NewMessageComposer
      me={me}
      receiverId={receiverId}
      name={name}
      replyTo={composing.kind === 'reply' ? now : null}
      focused={edited}
      onTyping={onTyping}
    />
  )
}

import { useState } from 'react'
import { useComposing } from '../composing'
import { EditComposer } from './EditComposer'
import { useMessageNow } from './useMessageNow'
import { WriteComposer } from './WriteComposer'

/** Writes to one person, answers a message of theirs, or changes one's own. */
export function MessageComposer({
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
  const composing = useComposing(receiverId)
  const now = useMessageNow(me, receiverId, composing.kind === 'write' ? null : composing.message)
  const [edited, setEdited] = useState(false)
  if (composing.kind === 'edit' && !edited) setEdited(true)
  if (composing.kind === 'edit') {
    return (
      <EditComposer
        key={composing.message.id}
        me={me}
        receiverId={receiverId}
        edit={composing}
        deleted={now?.deleted ?? false}
      />
    )
  }
  return (
    <WriteComposer
      me={me}
      receiverId={receiverId}
      name={name}
      replyTo={composing.kind === 'reply' ? now : null}
      focused={edited}
      onTyping={onTyping}
    />
  )
}

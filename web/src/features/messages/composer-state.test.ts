import { beforeEach, expect, test } from 'vitest'
import {
  cancelEdit,
  finishEdit,
  getComposerState,
  guardEdits,
  type MessageEdit,
  parseDraft,
  resetComposer,
  startEdit,
  startReply,
  updateEdit,
} from './composer-state'
import { ada, me, message } from './message-fixture'

const original = message(1, { senderId: me })
const saved = { ...original, content: 'sent', version: 1 }

/** Starts an edit and returns it as it is when the user presses Save. */
function editMessage(): MessageEdit {
  startEdit(ada, original)
  updateEdit(ada, ' sent ')
  const edit = getComposerState(ada)
  if (edit.kind !== 'edit') throw new Error('No edit is in progress.')
  return edit
}

beforeEach(() => resetComposer(ada))

test('leaves edit mode once the text is saved', () => {
  const { editId } = editMessage()
  finishEdit(ada, saved, 'sent', editId)
  expect(getComposerState(ada)).toEqual({ kind: 'write' })
})

test('keeps text that is typed during the save, as an edit of the saved message', () => {
  const { editId } = editMessage()
  updateEdit(ada, 'sent, and more')
  finishEdit(ada, saved, 'sent', editId)
  expect(getComposerState(ada)).toEqual({ kind: 'edit', message: saved, text: 'sent, and more', editId })
})

test('keeps another edit or a reply that is started during the save', () => {
  const { editId } = editMessage()
  resetComposer(ada)
  startEdit(ada, { ...original, content: 'sent' })
  finishEdit(ada, saved, 'sent', editId)
  expect(getComposerState(ada)).toMatchObject({ kind: 'edit', message: saved, text: 'sent' })
  startReply(ada, saved)
  finishEdit(ada, saved, 'sent', editId)
  expect(getComposerState(ada)).toEqual({ kind: 'reply', message: saved })
})

test('cancelEdit returns the edit with its latest text, and null for other messages and for replies', () => {
  editMessage()
  updateEdit(ada, 'sent, and more')
  expect(cancelEdit(ada, message(2).id)).toBeNull()
  expect(cancelEdit(ada, original.id)).toMatchObject({ text: 'sent, and more' })
  expect(getComposerState(ada)).toEqual({ kind: 'write' })
  startReply(ada, original)
  expect(cancelEdit(ada, original.id)).toBeNull()
  expect(getComposerState(ada)).toEqual({ kind: 'reply', message: original })
})

test('keeps the reply, and starts no edit, until a guard allows the edit', () => {
  startReply(ada, original)
  let start = () => {}
  const removeGuard = guardEdits(ada, (startGuarded) => {
    start = startGuarded
  })
  startEdit(ada, message(2, { senderId: me }))
  expect(getComposerState(ada)).toEqual({ kind: 'reply', message: original })
  start()
  expect(getComposerState(ada)).toMatchObject({ kind: 'edit', message: { seq: 2 } })
  removeGuard()
  startEdit(ada, original)
  expect(getComposerState(ada)).toMatchObject({ kind: 'edit', message: original })
})

test('parseDraft reads drafts of this version and drafts that contain only text', () => {
  const draft = { text: 'Hello', postId: 'post' }
  for (const stored of [draft, { ...draft, id: 'mass message' }])
    expect(parseDraft(JSON.stringify(stored))).toEqual(stored)
  for (const stored of ['"Hello"', 'Hello'])
    expect(parseDraft(stored)).toEqual({ text: 'Hello', postId: null })
  for (const stored of ['12', '{"a":1}']) expect(parseDraft(stored)).toEqual({ text: stored, postId: null })
  expect(parseDraft(null)).toBeUndefined()
})

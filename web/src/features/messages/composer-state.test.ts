import { beforeEach, expect, test } from 'vitest'
import {
  finishEdit,
  getComposerState,
  type MessageEdit,
  resetComposer,
  startEdit,
  startReply,
  takeEdit,
  updateEdit,
} from './composer-state'
import { ada, me, message } from './message-fixture'

const written = message(1, { senderId: me })
const stored = { ...written, content: 'sent', version: 1 }

/** Begins to change the message, and is at 'Save'. */
function save(): MessageEdit {
  startEdit(ada, written)
  updateEdit(ada, ' sent ')
  const edit = getComposerState(ada)
  if (edit.kind !== 'edit') throw new Error('Nothing is being changed.')
  return edit
}

beforeEach(() => resetComposer(ada))

test('the box is left once what it says is stored', () => {
  const { turn } = save()
  finishEdit(ada, stored, 'sent', turn)
  expect(getComposerState(ada)).toEqual({ kind: 'write' })
})

test('what is typed while a change is being saved stays, as a change of what was saved', () => {
  const { turn } = save()
  updateEdit(ada, 'sent, and more')
  finishEdit(ada, stored, 'sent', turn)
  expect(getComposerState(ada)).toEqual({ kind: 'edit', message: stored, text: 'sent, and more', turn })
})

test('what was begun while a change was being saved stays: the next change of it, or an answer to it', () => {
  const { turn } = save()
  resetComposer(ada)
  startEdit(ada, { ...written, content: 'sent' })
  finishEdit(ada, stored, 'sent', turn)
  expect(getComposerState(ada)).toMatchObject({ kind: 'edit', message: stored, text: 'sent' })
  startReply(ada, stored)
  finishEdit(ada, stored, 'sent', turn)
  expect(getComposerState(ada)).toEqual({ kind: 'reply', message: stored })
})

test('a change that is given up is taken as it stands by then; an answer is none', () => {
  save()
  updateEdit(ada, 'sent, and more')
  expect(takeEdit(ada, message(2).id)).toBeNull()
  expect(takeEdit(ada, written.id)).toMatchObject({ text: 'sent, and more' })
  expect(getComposerState(ada)).toEqual({ kind: 'write' })
  startReply(ada, written)
  expect(takeEdit(ada, written.id)).toBeNull()
  expect(getComposerState(ada)).toEqual({ kind: 'reply', message: written })
})

import { beforeEach, expect, test } from 'vitest'
import {
  beginEdit,
  beginReply,
  composingOf,
  type Edit,
  keepEdit,
  resetComposing,
  settleEdit,
  takeEdit,
} from './composing'
import { ada, me, message } from './realtime/testMessages'

const written = message(1, { senderId: me })
const stored = { ...written, content: 'sent', version: 1 }

/** Begins to change the message, and is at 'Save'. */
function save(): Edit {
  beginEdit(ada, written)
  keepEdit(ada, ' sent ')
  const edit = composingOf(ada)
  if (edit.kind !== 'edit') throw new Error('Nothing is being changed.')
  return edit
}

beforeEach(() => resetComposing(ada))

test('the box is left once what it says is stored', () => {
  const { turn } = save()
  settleEdit(ada, stored, 'sent', turn)
  expect(composingOf(ada)).toEqual({ kind: 'write' })
})

test('what is typed while a change is being saved stays, as a change of what was saved', () => {
  const { turn } = save()
  keepEdit(ada, 'sent, and more')
  settleEdit(ada, stored, 'sent', turn)
  expect(composingOf(ada)).toEqual({ kind: 'edit', message: stored, text: 'sent, and more', turn })
})

test('what was begun while a change was being saved stays: the next change of it, or an answer to it', () => {
  const { turn } = save()
  resetComposing(ada)
  beginEdit(ada, { ...written, content: 'sent' })
  settleEdit(ada, stored, 'sent', turn)
  expect(composingOf(ada)).toMatchObject({ kind: 'edit', message: stored, text: 'sent' })
  beginReply(ada, stored)
  settleEdit(ada, stored, 'sent', turn)
  expect(composingOf(ada)).toEqual({ kind: 'reply', message: stored })
})

test('a change that is given up is taken as it stands by then; an answer is none', () => {
  save()
  keepEdit(ada, 'sent, and more')
  expect(takeEdit(ada, message(2).id)).toBeNull()
  expect(takeEdit(ada, written.id)).toMatchObject({ text: 'sent, and more' })
  expect(composingOf(ada)).toEqual({ kind: 'write' })
  beginReply(ada, written)
  expect(takeEdit(ada, written.id)).toBeNull()
  expect(composingOf(ada)).toEqual({ kind: 'reply', message: written })
})

import type { AdminUser } from '@contract/admin.ts'
import type { ErrorCode } from '@contract/errors.ts'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '@/lib/api'
import { toast } from '@/ui/toaster'
import {
  changedFields,
  type FieldName,
  firstFieldErrors,
  type UserFormValues,
  userFormValues,
  validateChanges,
} from '../model'
import { useSaveUserProfile } from '../useSaveUserProfile'

/** Somebody's profile while it is edited. */
export function useUserForm(person: AdminUser) {
  const [stored] = useState(() => userFormValues(person))
  const [values, setValues] = useState(stored)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const saving = useSaveUserProfile(person)
  return {
    values,
    problems,
    isDirty: changedFields(values, stored).length > 0,
    isSaving: saving.isPending,
    set: <Name extends FieldName>(name: Name, value: UserFormValues[Name]) => {
      setValues((before) => ({ ...before, [name]: value }))
      setProblems(({ [name]: _, ...others }) => others)
    },
    /** True once it is saved; where not, what is wrong is told, and marked at its field. */
    save: async (): Promise<boolean> => {
      if (saving.isPending) return false
      const { data, error } = validateChanges(values, stored)
      // Whoever moves the focus to what is wrong finds it marked.
      flushSync(() => setProblems(firstFieldErrors(error)))
      if (!data) {
        toast({
          title: 'Validation Error',
          description: error.issues[0]?.message,
          tone: 'destructive',
        })
        return false
      }
      try {
        await saving.mutateAsync(data)
        return true
      } catch (refused) {
        if (refused instanceof ApiError) flushSync(() => setProblems(saidIn(refused)))
        return false
      }
    },
  }
}

/** Refusals that are about one field, and which. */
const fieldOf: Partial<Record<ErrorCode, FieldName>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** What the server said about single fields. */
function saidIn({ code, serverMessage, errors }: ApiError): Partial<Record<string, string>> {
  const said = Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, texts[0]]))
  const field = code && fieldOf[code]
  return field ? { [field]: serverMessage, ...said } : said
}

export type UserForm = ReturnType<typeof useUserForm>

import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { personName } from './text.ts'
import { OwnUser } from './user.ts'

/** What is said of a link that is expired, spent, malformed or made up: all alike, as none of it is for strangers. */
export const resetLinkInvalid =
  'The reset token is invalid or has expired. Please request a new password reset.'

const utf8Length = (text: string) => new TextEncoder().encode(text).length

const email = z
  .string('Please enter a valid email address')
  .trim()
  .max(limits.email.max, 'Please enter a valid email address')
  .pipe(z.email('Please enter a valid email address'))
  .transform((value) => value.toLowerCase())

const newPassword = z
  .string('Password must be at least 6 characters')
  .min(limits.password.min, 'Password must be at least 6 characters')
  .refine((value) => utf8Length(value) <= limits.password.maxBytes, 'Password must be at most 72 bytes')

const confirmedPassword = z
  .string('Please confirm your password')
  .min(limits.password.min, 'Please confirm your password')

const sameTwice = { message: "Passwords don't match", path: ['confirmPassword'] }

const recaptcha = z
  .string('Please complete the reCAPTCHA verification')
  .min(1, 'Please complete the reCAPTCHA verification')
  .max(8192, 'Please complete the reCAPTCHA verification')

/** What an account is known by; Settings takes the same. */
export const accountFields = {
  fullName: personName(limits.fullName, {
    tooShort: 'Full name must be at least 2 characters',
    tooLong: 'Full name must be at most 80 characters',
    unusable: 'Full name contains characters that cannot be used',
  }),
  username: z
    .string('Username must be at least 3 characters')
    .trim()
    .min(limits.username.min, 'Username must be at least 3 characters')
    .max(limits.username.max, 'Username must be at most 30 characters')
    .regex(/^[A-Za-z0-9_]+$/, 'Username can only contain letters, numbers, and underscores'),
  email,
  phoneNumber: z
    .string('Please enter a valid phone number')
    .trim()
    .min(limits.phoneNumber.min, 'Please enter a valid phone number')
    .max(limits.phoneNumber.max, 'Please enter a valid phone number')
    .regex(/^[+0-9 ().\-/]+$/, 'Please enter a valid phone number')
    .refine((number) => number.replace(/[^0-9]/g, '').length >= limits.phoneNumber.minDigits, {
      message: 'Please enter a valid phone number',
      when: ({ issues }) => issues.length === 0,
    }),
}

/** `recaptcha` holds the token of whichever captcha `GET /api/auth/captcha` names. */
export const RegisterRequest = z
  .object({
    ...accountFields,
    password: newPassword,
    confirmPassword: confirmedPassword,
    recaptcha,
  })
  .refine((form) => form.password === form.confirmPassword, {
    ...sameTwice,
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | null
      return typeof form?.password === 'string' && typeof form.confirmPassword === 'string'
    },
  })
export type RegisterRequest = z.infer<typeof RegisterRequest>

export const LoginRequest = z.object({
  email,
  password: z.string('Password is required').min(1, 'Password is required'),
  recaptcha,
})
export type LoginRequest = z.infer<typeof LoginRequest>

export const ForgotPasswordRequest = z.object({ email })
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>

/** A sentence for the person, as several calls answer it. */
export const Told = z.object({ message: z.string() })

/** `token` is what the link in the mail carries. */
export const ResetPasswordRequest = z.object({
  token: z.string('No reset token found').min(1, 'No reset token found').max(200, resetLinkInvalid),
  newPassword,
})
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>

/** The form of the page behind the link: the new password, twice. */
export const ResetPasswordForm = z
  .object({ newPassword, confirmPassword: confirmedPassword })
  .refine((form) => form.newPassword === form.confirmPassword, sameTwice)

/** Whether the link in the mail can still be used; `message` says why not. */
export const ResetLinkAnswer = z.object({ valid: z.boolean(), message: z.string() })
export type ResetLinkAnswer = z.infer<typeof ResetLinkAnswer>

/** A place where somebody is signed in. `lastSeenAt` is when the session was last renewed. */
export const ActiveSession = z.object({
  id: Id,
  /** The session that asks. */
  current: z.boolean(),
  /** As the browser or program named itself when it signed in. */
  userAgent: z.string().nullable(),
  /** The network address that it signed in from. */
  address: z.string().nullable(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})
export type ActiveSession = z.infer<typeof ActiveSession>

export const RegisterAnswer = z.object({ user: OwnUser })

/** A Supabase Auth session; `expires_at` is in seconds since 1970, `expires_in` in seconds. */
export const Session = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.number(),
  expires_in: z.number(),
  token_type: z.string(),
})
export const LoginAnswer = z.object({ user: OwnUser, session: Session })
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const captchaProviders = ['altcha', 'turnstile', 'none'] as const
export const CaptchaProvider = z.enum(captchaProviders)
export type CaptchaProvider = z.infer<typeof CaptchaProvider>

/** `challenge` is what the ALTCHA widget takes: its shape is the library's. */
export const CaptchaAnswer = z.object({
  provider: CaptchaProvider,
  challenge: z.record(z.string(), z.unknown()).optional(),
})

/** The cookie (and storage key) that holds the browser's session, whatever host serves the page. */
export const sessionCookieName = 'ovation-auth'

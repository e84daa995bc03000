import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { limits } from './limits.ts'
import { nameField } from './text.ts'
import { OwnUser } from './user.ts'

/**
 * The message for expired, used, malformed and unknown links. All of them get the same message, so that it does not
 * reveal the reason.
 */
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

const passwordsMustMatch = { message: "Passwords don't match", path: ['confirmPassword'] }

const recaptcha = z
  .string('Please complete the reCAPTCHA verification')
  .min(1, 'Please complete the reCAPTCHA verification')
  .max(8192, 'Please complete the reCAPTCHA verification')

/** The identity fields of an account, shared by registration, settings and the admin form. */
export const accountFields = {
  fullName: nameField(limits.fullName, {
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

/** `recaptcha` is the token from the captcha provider. `GET /api/auth/captcha` says which provider is used. */
export const RegisterRequest = z
  .object({
    ...accountFields,
    password: newPassword,
    confirmPassword: confirmedPassword,
    recaptcha,
  })
  .refine((form) => form.password === form.confirmPassword, {
    ...passwordsMustMatch,
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown } | null
      return typeof form?.password === 'string' && typeof form.confirmPassword === 'string'
    },
  })
export type RegisterRequest = z.infer<typeof RegisterRequest>

/** The password with which a signed-in user confirms a change. */
export const currentPassword = z.string('Password is required').min(1, 'Password is required').max(1000)

export const LoginRequest = z.object({
  email,
  password: z.string('Password is required').min(1, 'Password is required'),
  recaptcha,
})
export type LoginRequest = z.infer<typeof LoginRequest>

export const ForgotPasswordRequest = z.object({ email })
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>

/** A message for the user. */
export const MessageResponse = z.object({ message: z.string() })

/** `token` comes from the link in the password reset email. */
export const ResetPasswordRequest = z.object({
  token: z.string('No reset token found').min(1, 'No reset token found').max(200, resetLinkInvalid),
  newPassword,
})
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>

/** The form on the password reset page, which the link in the email opens. */
export const ResetPasswordForm = z
  .object({ newPassword, confirmPassword: confirmedPassword })
  .refine((form) => form.newPassword === form.confirmPassword, passwordsMustMatch)

export const ChangePasswordRequest = z
  .strictObject({
    currentPassword,
    newPassword,
  })
  .refine((form) => form.currentPassword !== form.newPassword, {
    message: 'Please choose a password that differs from your current one',
    path: ['newPassword'],
  })
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>

/** Whether the link in a password reset email is still valid. If not, `message` asks the user to request a new one. */
export const ResetLinkResponse = z.object({ valid: z.boolean(), message: z.string() })
export type ResetLinkResponse = z.infer<typeof ResetLinkResponse>

/** An active session of the user. `lastSeenAt` is when the session was last refreshed, or created if it never was. */
export const ActiveSession = z.object({
  id: Id,
  current: z.boolean(),
  /** The User-Agent header at sign-in. */
  userAgent: z.string().nullable(),
  /** The IP address at sign-in. */
  address: z.string().nullable(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})
export type ActiveSession = z.infer<typeof ActiveSession>

/** A Supabase Auth session. `expires_at` is in seconds since 1970, `expires_in` in seconds. */
export const Session = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.number(),
  expires_in: z.number(),
  token_type: z.string(),
})
/** `session` is present only if the operator has enabled sign-in right after registration. */
export const RegisterResponse = z.object({ user: OwnUser, session: Session.optional() })
export type RegisterResponse = z.infer<typeof RegisterResponse>

export const LoginResponse = z.object({ user: OwnUser, session: Session })
export type LoginResponse = z.infer<typeof LoginResponse>

export const captchaProviders = ['altcha', 'turnstile', 'none'] as const
export const CaptchaProvider = z.enum(captchaProviders)
export type CaptchaProvider = z.infer<typeof CaptchaProvider>

/** `challenge` is the input for the ALTCHA widget, in the format of `altcha-lib`. */
export const CaptchaResponse = z.object({
  provider: CaptchaProvider,
  challenge: z.record(z.string(), z.unknown()).optional(),
})

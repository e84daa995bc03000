import { join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'

/** The settings in supabase/config.toml that apply to the embedded stack too. */
const SupabaseConfig = z.object({
  api: z.object({ max_rows: z.number() }),
  auth: z.object({
    jwt_expiry: z.number(),
    refresh_token_reuse_interval: z.number(),
    minimum_password_length: z.number(),
    email: z.object({
      max_frequency: z.string(),
      otp_length: z.number(),
      otp_expiry: z.number(),
      template: z.object({ recovery: z.object({ subject: z.string(), content_path: z.string() }) }),
    }),
  }),
  storage: z.object({ file_size_limit: z.string() }),
})

/** Reads the settings in supabase/config.toml. */
export async function readSupabaseConfig(root: string): Promise<z.infer<typeof SupabaseConfig>> {
  return SupabaseConfig.parse(parse(await Deno.readTextFile(join(root, 'supabase', 'config.toml'))))
}

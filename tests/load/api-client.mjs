/** @typedef {{ id: string, email: string, password: string, token: string }} RegisteredUser */

/**
 * Registers a user through the API and signs in.
 *
 * @param {string} apiUrl
 * @param {string} username
 * @returns {Promise<RegisteredUser>}
 */
export async function registerAndSignIn(apiUrl, username) {
  const email = `${username}@example.test`
  const password = 'a-long-password'
  const form = { email, password, recaptcha: 'none' }
  await postJson(`${apiUrl}/api/auth/register`, {
    ...form,
    fullName: username,
    username,
    phoneNumber: '+15550000000',
    confirmPassword: password,
  })
  const { user, session } = await postJson(`${apiUrl}/api/auth/login`, form)
  return { id: user.id, email, password, token: session.access_token }
}

/**
 * Posts JSON and returns the response body, or null if it is empty.
 *
 * @param {string} url
 * @param {object} body
 * @param {string} [token] the access token of the caller
 * @throws {Error} when the request fails
 */
export async function postJson(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const json = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(`${new URL(url).pathname} returned ${response.status}: ${json.message}`)
  return json
}

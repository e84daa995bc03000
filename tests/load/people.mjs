/** @typedef {{ id: string, email: string, password: string, token: string }} Person */

/**
 * Somebody who registers and signs in as everybody does.
 *
 * @param {string} apiUrl
 * @param {string} username
 * @returns {Promise<Person>}
 */
export async function register(apiUrl, username) {
  const email = `${username}@example.test`
  const password = 'a-long-password'
  const form = { email, password, recaptcha: 'none' }
  await post(`${apiUrl}/api/auth/register`, {
    ...form,
    fullName: username,
    username,
    phoneNumber: '+15550000000',
    confirmPassword: password,
  })
  const { user, session } = await post(`${apiUrl}/api/auth/login`, form)
  return { id: user.id, email, password, token: session.access_token }
}

/**
 * @param {string} url
 * @param {object} body
 * @param {string} [token]
 */
export async function post(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${answer.message}`)
  return answer
}

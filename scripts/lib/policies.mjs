/**
 * Returns whether an SQL script creates, changes or drops a policy. On Supabase projects whose supautils is older than
 * September 2026, such a statement locks all tables of Auth and Storage until its migration ends.
 *
 * @param {string} script
 */
export const changesPolicies = (script) => /^\s*(create|alter|drop)\s+policy\b/im.test(withoutBodies(script))

/**
 * Returns whether a script changes policies and does something else as well.
 *
 * @param {string} script
 */
export const mixesPolicies = (script) =>
  changesPolicies(script) &&
  withoutBodies(script)
    .split(';')
    .map((statement) => statement.trim())
    .some((statement) => statement !== '' && !/^((create|alter|drop)\s+policy|set\s)\b/i.test(statement))

/** @param {string} script @returns {string} the script without comments and function bodies */
const withoutBodies = (script) => script.replace(/(\$\w*\$)[\s\S]*?\1/g, "''").replace(/--.*$/gm, '')

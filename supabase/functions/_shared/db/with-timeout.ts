/** Returns the result of a database call. @throws Error if it takes longer than `limitMs` */
export function withTimeout<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database did not respond in time.')), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

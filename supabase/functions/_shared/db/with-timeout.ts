/** Returns the result of `work`. @throws Error if it takes longer than `limitMs` */
export function withTimeout<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

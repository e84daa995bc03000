/** Returns the result of `work`. @throws Error with `message` if `work` takes longer than `timeoutMs` */
export function withTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  message = 'no response in time',
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Ends when the work has, whatever became of it, or when the time is up. */
export async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const up = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work.then(ignore, ignore), up])
  } finally {
    clearTimeout(timer)
  }
}

const ignore = (): void => {}

/** Every how many places of a long row a test looks: about `samples` in all, or, in the long run (`EVERY_CUT`), at each. */
export const sampleStep = (count: number, samples: number): number =>
  process.env['EVERY_CUT'] ? 1 : Math.max(1, Math.ceil(count / samples))
